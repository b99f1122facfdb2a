// Which bodies does a selector select? Answers per set or selector, each once.

import type { GivenBody } from '../../assembly/types.ts';
import { baseName, pathText } from '../../text/paths.ts';
import type { PropertyCondition, Rules, Selector, SetOrSelector } from '../types.ts';
import { BodySet } from './body-set.ts';
import { folded, type Matcher, matcherOf } from './pattern.ts';

/** What rules look at. */
export type RuleBody = Pick<GivenBody, 'name' | 'file' | 'path' | 'id' | 'type' | 'properties'>;

type Test = (body: RuleBody, index: number) => boolean;

/** Finds the bodies of sets and selectors. A set that is used again is not searched again. */
export class Selection {
  readonly #named = new Map<string, BodySet>();

  constructor(
    private readonly sets: Rules['sets'],
    private readonly bodies: readonly RuleBody[],
  ) {}

  /** The bodies of a set that exists, or of a selector. */
  of(use: SetOrSelector): BodySet {
    if (typeof use !== 'string') {
      const test = this.#testOf(use);
      return BodySet.where(this.bodies.length, index => test(this.bodies[index], index));
    }
    let set = this.#named.get(use);
    if (set === undefined) {
      set = this.of(this.sets.get(use)!);
      this.#named.set(use, set);
    }
    return set;
  }

  #testOf({ file, name, path, class: kind, id, property, any, all, not }: Selector): Test {
    const tests: Test[] = [];
    if (file) tests.push(textTest(fileMatcher(file), body => body.file));
    if (kind) tests.push(textTest(remembering(matcherOf(kind)), body => body.type));
    if (id) {
      const ids = new Set(id);
      tests.push(body => body.id !== undefined && ids.has(body.id));
    }
    if (name) tests.push(textTest(matcherOf(name), body => body.name));
    if (path) tests.push(textTest(matcherOf(path), ({ path }) => path && pathText(path)));
    for (const condition of property ?? []) tests.push(propertyTest(condition));
    if (any) {
      const sets = any.map(part => this.of(part));
      tests.push((_, index) => sets.some(set => set.has(index)));
    }
    if (all) {
      const sets = all.map(part => this.of(part));
      tests.push((_, index) => sets.every(set => set.has(index)));
    }
    if (not !== undefined) {
      const set = this.of(not);
      tests.push((_, index) => !set.has(index));
    }
    return (body, index) => tests.every(test => test(body, index));
  }
}

const textTest =
  (matches: Matcher, textOf: (body: RuleBody) => string | undefined): Test =>
  body => {
    const text = textOf(body);
    return text !== undefined && matches(text);
  };

/** For texts that many bodies share: files and classes. */
function remembering(matches: Matcher): Matcher {
  const known = new Map<string, boolean>();
  return text => {
    let answer = known.get(text);
    if (answer === undefined) known.set(text, (answer = matches(text)));
    return answer;
  };
}

/**
 * A pattern with a slash is for the name of the file as given. A pattern without is for the last part of it, with or
 * without its extension, so that `arch*` matches `models/arch-3.ifc`.
 */
export function fileMatcher(patterns: readonly string[]): Matcher {
  const slashed = patterns.map(pattern => pattern.replaceAll('\\', '/'));
  const whole = matcherOf(slashed.filter(pattern => pattern.includes('/')));
  const last = matcherOf(slashed.filter(pattern => !pattern.includes('/')));
  return remembering(file => {
    const path = file.replaceAll('\\', '/');
    const end = baseName(path);
    return whole(path) || last(end) || last(end.replace(/(?<=.)\.[^.]*$/, ''));
  });
}

/** Some property with that name has one of the values. A text is a pattern for the value as text. */
function propertyTest({ name, values }: PropertyCondition): Test {
  const texts = matcherOf(values.filter(value => typeof value === 'string'));
  const exact = new Set<string | number | boolean>(values.filter(value => typeof value !== 'string'));
  const holds = (value: string | number | boolean) => exact.has(value) || texts(String(value));
  const isNamed = remembering(/[*?]/.test(name) ? matcherOf([name]) : text => folded(text) === folded(name));
  return ({ properties }) => {
    if (properties === undefined) return false;
    for (const key of Object.keys(properties)) {
      if (isNamed(key) && holds(properties[key])) return true;
    }
    return false;
  };
}
