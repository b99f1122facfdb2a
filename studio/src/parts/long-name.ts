// A name that may be longer than its place. Names of parts differ at their ends (numbers, marks), so the middle is left
// out, not the end; pointing at the name shows all of it.

import { element } from './element.ts';

/** Characters at the end that stay in sight. */
const tail = 7;
/** A shorter name is cut at its end. */
const long = 10;

export function longName(name: string): (HTMLElement | string)[] {
  if (name.length <= long) return [element('span', { class: 'head' }, name)];
  const at = name.length - tail;
  return [
    element('span', { class: 'head' }, name.slice(0, at)),
    element('span', { class: 'tail' }, name.slice(at)),
  ];
}
