// Tries every wrong value on every argument of a function, and reports each one that was not refused as it should be.

import { NearfieldError } from 'nearfield';
import { type Kind, values } from './kinds.ts';
import type { Row } from './rows.ts';

const rightOf = ({ right, fresh }: Kind): unknown => (fresh ? (right as () => unknown)() : right);
export const rightArguments = (row: Row): unknown[] => row.takes.map(([, kind]) => rightOf(kind));

/** The outcome of a call: a value, or an error, thrown or rejected. */
type Outcome = { readonly gave: unknown } | { readonly threw: unknown; readonly how: 'thrown' | 'rejected' };

async function outcomeOf(call: Row['call'], given: readonly unknown[]): Promise<Outcome> {
  let result: unknown;
  try {
    result = call(...(given as never[]));
  } catch (threw) {
    return { threw, how: 'thrown' };
  }
  if (!(result instanceof Promise)) return { gave: result };
  try {
    return { gave: await result };
  } catch (threw) {
    return { threw, how: 'rejected' };
  }
}

const words = (error: unknown): string =>
  error instanceof NearfieldError
    ? `${error.code}: ${error.message}`
    : error instanceof Error
      ? `${error.name}: ${error.message}`
      : String(error);

export class Attempt {
  /** The number of wrong calls. */
  count = 0;
  readonly complaints: string[] = [];

  constructor(readonly row: Row) {}

  async all(): Promise<void> {
    for (const [place, [name, kind]] of this.row.takes.entries()) {
      await this.#wrongs(place, name, kind, value => value, name);
      if (kind.fields !== undefined) await this.#options(place, name, kind, kind.fields);
    }
    if (this.row.onClosed !== undefined) await this.#closed(this.row.onClosed);
  }

  /** Tries every wrong value of an argument or of an option; `put` builds the argument from it. */
  async #wrongs(
    place: number,
    name: string,
    kind: Kind,
    put: (value: unknown) => unknown,
    path: string,
  ): Promise<void> {
    const named = kind.named ?? new RegExp(`(^|[^A-Za-z])${name}([^A-Za-z]|$)`);
    for (const [title, value] of values) {
      if (kind.accepts(value)) continue;
      await this.#refused(place, put(value), `${path}: ${title}`, kind.codes, named);
    }
    for (const [title, value, code, message = named] of kind.others ?? []) {
      await this.#refused(place, put(value), `${path}: ${title}`, [code], message);
    }
  }

  async #options(
    place: number,
    name: string,
    kind: Kind,
    fields: NonNullable<Kind['fields']>,
  ): Promise<void> {
    const right = rightOf(kind) as object;
    for (const [field, of] of Object.entries(fields)) {
      await this.#wrongs(place, field, of, value => ({ ...right, [field]: value }), `${name}.${field}`);
      await this.#ownError(place, right, field, `${name}.${field}`);
      if (of.fields === undefined) continue;
      const inner = rightOf(of) as object;
      for (const [below, kindBelow] of Object.entries(of.fields)) {
        const put = (value: unknown) => ({ ...right, [field]: { ...inner, [below]: value } });
        await this.#wrongs(place, below, kindBelow, put, `${name}.${field}.${below}`);
      }
    }
    if (kind.spelt === false) return;
    for (const field of Object.keys(fields).filter(({ length }) => length > 4)) {
      const spellings = [
        field.slice(1),
        `${field}s`,
        `${field[1]}${field[0]}${field.slice(2)}`,
        field.toUpperCase(),
      ];
      for (const spelling of spellings) {
        if (Object.hasOwn(fields, spelling)) continue;
        const misspelt = { ...right, [spelling]: rightOf(fields[field]) ?? 1 };
        const meant = new RegExp(`has no ${spelling}; perhaps ${field} is meant`);
        await this.#refused(place, misspelt, `${name}: misspelt ${spelling}`, ['bad-option'], meant);
      }
    }
    // Options may be part of a larger object, and an undefined option counts as left out.
    const larger = { ...right, filename: 1, [`${Object.keys(fields)[0]}s`]: undefined };
    if (this.row.repeats) await this.#taken(place, larger, `${name}: other properties`);
  }

  async #refused(
    place: number,
    value: unknown,
    what: string,
    codes: readonly string[],
    named: RegExp,
  ): Promise<void> {
    const outcome = await this.#callWith(place, value);
    const complain = (sentence: string) => this.complaints.push(`${this.row.name}, ${what}: ${sentence}`);
    if ('gave' in outcome) complain('was answered');
    else if (!(outcome.threw instanceof NearfieldError)) complain(words(outcome.threw));
    else if (!codes.includes(outcome.threw.code))
      complain(`is not ${codes.join(' or ')}: ${words(outcome.threw)}`);
    else if (!named.test(outcome.threw.message)) complain(`does not say ${named}: ${words(outcome.threw)}`);
    else if (outcome.how !== (this.row.waits ? 'rejected' : 'thrown')) complain(`was ${outcome.how}`);
  }

  /** If a getter of the caller throws, that error is passed on unchanged. */
  async #ownError(place: number, right: object, field: string, what: string): Promise<void> {
    const own = new Error('of the caller');
    const options = Object.defineProperty({ ...right }, field, {
      enumerable: true,
      get() {
        throw own;
      },
    });
    const outcome = await this.#callWith(place, options);
    if ('gave' in outcome || outcome.threw !== own) {
      const got = 'gave' in outcome ? 'an answer' : words(outcome.threw);
      this.complaints.push(`${this.row.name}, ${what}: a getter that throws became ${got}`);
    }
  }

  async #taken(place: number, value: unknown, what: string): Promise<void> {
    const outcome = await this.#callWith(place, value);
    if ('gave' in outcome) return;
    this.complaints.push(`${this.row.name}, ${what}: ${words(outcome.threw)}`);
  }

  async #closed(call: Row['call']): Promise<void> {
    this.count++;
    const outcome = await outcomeOf(call, rightArguments(this.row));
    const isRefused =
      'threw' in outcome && outcome.threw instanceof NearfieldError && outcome.threw.code === 'closed';
    if (isRefused && outcome.how === (this.row.waits ? 'rejected' : 'thrown')) return;
    const got = 'gave' in outcome ? 'was answered' : words(outcome.threw);
    this.complaints.push(`${this.row.name}, on something closed: ${got}`);
  }

  #callWith(place: number, value: unknown): Promise<Outcome> {
    this.count++;
    const given = rightArguments(this.row);
    given[place] = value;
    return outcomeOf(this.row.call, given);
  }
}

/** An answer as text, for comparison; figures about how it was found are left out. */
export function digest(answer: unknown): string {
  return JSON.stringify(answer, (key, value) => {
    if (key === 'stats' || key === 'uuid') return undefined;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
      return Array.from(value as unknown as ArrayLike<number>, String);
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && Symbol.iterator in value) {
      return [...(value as Iterable<unknown>)];
    }
    return value;
  });
}
