// A row of the table: a public function, its arguments, and the object it is called on.

import type { Kind } from './kinds.ts';

export interface Row {
  /** `distance` of a module, `Scene.distance` of a class, `set Body.pose`, `createRandom().between`. */
  readonly name: string;
  readonly call: (...given: never[]) => unknown;
  readonly takes: readonly (readonly [string, Kind])[];
  /** It returns a promise: refusals reject it and are never thrown. */
  readonly waits: boolean;
  /** The same on something that has been closed or removed. */
  readonly onClosed?: ((...given: never[]) => unknown) | undefined;
  /** What refusals must not change. */
  readonly state?: (() => unknown) | undefined;
  /** False if a right call cannot be made twice, or changes what the next one gives. */
  readonly repeats: boolean;
  /** False if even a right call is refused because there is no GPU; wrong arguments must be refused first. */
  readonly answers?: boolean | undefined;
}

type Takes = Readonly<Record<string, Kind>>;

interface More {
  readonly state?: () => unknown;
  readonly repeats?: boolean;
  readonly answers?: boolean;
}

export const takes = (given: Takes): Row['takes'] => Object.entries(given);

/** A function of a module. */
export const plain = (name: string, call: unknown, given: Takes, more: More = {}): Row => ({
  name,
  call: call as Row['call'],
  takes: takes(given),
  waits: false,
  repeats: true,
  ...more,
});
export const waiting = (name: string, call: unknown, given: Takes, more: More = {}): Row => ({
  ...plain(name, call, given, more),
  waits: true,
});

/** Methods of an object; `closed` is another one that has been closed. Names that end in `…` return a promise. */
export function methods(
  of: string,
  subject: object,
  table: Readonly<Record<string, Takes>>,
  more: More & { readonly closed?: object | undefined } = {},
): Row[] {
  const { closed, ...rest } = more;
  return Object.entries(table).map(([title, given]) => {
    const name = title.replace(/…$/, '');
    const key = name === '[Symbol.iterator]' ? Symbol.iterator : name;
    const callOn =
      (on: object) =>
      (...given: unknown[]) =>
        (on as Record<string | symbol, (...given: unknown[]) => unknown>)[key](...given);
    return {
      ...plain(`${of}.${name}`, callOn(subject), given, rest),
      waits: title.endsWith('…'),
      onClosed: closed && callOn(closed),
    };
  });
}

/** A property that can be set. */
export const setter = (
  of: string,
  subject: object,
  name: string,
  kind: Kind,
  more: More & { closed?: object } = {},
): Row => {
  const { closed, ...rest } = more;
  const setOn = (on: object) => (given: unknown) => Reflect.set(on, name, given, on);
  return {
    ...plain(`set ${of}.${name}`, setOn(subject), { [name]: kind }, rest),
    onClosed: closed && setOn(closed),
  };
};
