// The pairs of a report as the page carries them: one list per column, because that is small and quick to search. Rows
// are in order of importance; names are in one list of parts.

import type { Bracket, Change, Group, Severity, Status } from '../../assembly/types.ts';
import { verdictOf, verdictOrder } from '../../severity/order.ts';
import { each, mapped, type Steps } from '../../steps/steps.ts';
import { baseName, pathText } from '../../text/paths.ts';
import { outwards, spans } from '../../text/sentences.ts';
import { type ReportBody, type ReportInput, type ReportPair, severity as relationOrder } from '../types.ts';

/** A column: one value per row, null where a row has none. Left out if no row has any. */
export type Column<T> = readonly (T | null)[] | undefined;

export interface TableData {
  /** The name of the unit of lengths, if it is known. */
  readonly unit?: string | undefined;
  readonly isMotion: boolean;
  /** How many rows have pictures: the first ones. */
  readonly pictured: number;
  /** Names of the parts that the rows refer to. */
  readonly parts: readonly string[];
  /** What else is known about a part: its kind, identity, path, file. */
  readonly notes: readonly string[];
  /** The names of the sets of the matrix, and per part the list of its sets, by index into `setLists`. */
  readonly sets?: readonly string[] | undefined;
  readonly setLists?: readonly (readonly number[])[] | undefined;
  readonly setsOf?: readonly number[] | undefined;
  readonly tests?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly rows: Rows;
}

export interface Rows {
  /** Indices of parts. */
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** Indices into `verdictOrder` and `relationOrder`. */
  readonly verdict: readonly number[];
  readonly relation: readonly number[];
  readonly triangles: readonly number[];
  readonly lower: Column<number>;
  readonly upper: Column<number>;
  readonly distance: Column<number>;
  readonly volume: Column<number>;
  readonly area: Column<number>;
  readonly x: Column<number>;
  readonly y: Column<number>;
  readonly z: Column<number>;
  readonly undecided: Column<1>;
  readonly clash: Column<string>;
  readonly test: Column<number>;
  readonly severity: Column<Severity>;
  readonly change: Column<Change>;
  readonly status: Column<Status>;
  /** Why a pair may meet, and what people have said about it. */
  readonly remark: Column<string>;
  readonly group: Column<number>;
  readonly frame: Column<number>;
  readonly frames: Column<string>;
}

/** `pairs` are in the order of the table; the first `pictured` have pictures. */
export function* tableData(
  { bodies, unitName, matrix, tests, motion }: ReportInput,
  pairs: readonly ReportPair[],
  groups: readonly Group[],
  pictured: number,
): Steps<TableData> {
  const partOf = new Map<number, number>();
  yield* each(pairs, ({ a, b }) => {
    for (const body of [a, b]) if (!partOf.has(body)) partOf.set(body, partOf.size);
  });
  const used = [...partOf.keys()];
  const noteOf = notesOf(bodies);
  const groupOf = new Map(groups.flatMap(({ members }, i) => members.map(clash => [clash, i] as const)));
  function* column<T>(value: (pair: ReportPair) => T | undefined): Steps<Column<T>> {
    const values = yield* mapped(pairs, pair => value(pair) ?? null);
    return values.some(each => each !== null) ? values : undefined;
  }
  const placeAt = (axis: number) => column(({ place }) => place && Number(place[axis].toPrecision(7)));
  const bound = (of: keyof Bracket) =>
    column(({ depth }) => (depth && depth.upper > 0 ? outwards(depth)[of] : undefined));
  const rounded = (value: number | undefined) =>
    value === undefined ? undefined : Number(value.toPrecision(4));
  return {
    ...(unitName !== undefined && { unit: unitName }),
    ...{ isMotion: motion !== undefined, pictured },
    parts: yield* mapped(used, body => bodies[body].name),
    notes: yield* mapped(used, body => noteOf(bodies[body])),
    ...(matrix && { sets: matrix.sets, ...setLists(used.map(body => matrix.setsOf[body])) }),
    ...(tests && { tests: tests.map(({ name }) => name) }),
    ...(groups.length > 0 && { groups: groups.map(({ title }) => title) }),
    rows: {
      a: yield* mapped(pairs, ({ a }) => partOf.get(a)!),
      b: yield* mapped(pairs, ({ b }) => partOf.get(b)!),
      verdict: yield* mapped(pairs, pair => verdictOrder.indexOf(verdictOf(pair))),
      relation: yield* mapped(pairs, ({ relation }) => relationOrder.indexOf(relation)),
      triangles: yield* mapped(pairs, ({ triangleCount }) => triangleCount),
      ...{ lower: yield* bound('lower'), upper: yield* bound('upper') },
      distance: yield* column(({ distance }) => rounded(distance)),
      volume: yield* column(({ volume }) => rounded(volume)),
      area: yield* column(({ area }) => rounded(area)),
      ...{ x: yield* placeAt(0), y: yield* placeAt(1), z: yield* placeAt(2) },
      undecided: yield* column(({ undecided }) => (undecided ? 1 : undefined)),
      clash: yield* column(({ clash }) => clash),
      test: yield* column(({ test }) => test),
      severity: yield* column(({ severity }) => severity),
      change: yield* column(({ change }) => change),
      status: yield* column(({ status }) => status?.status),
      remark: yield* column(remarkOf),
      group: yield* column(({ clash }) => (clash === undefined ? undefined : groupOf.get(clash))),
      frame: yield* column(({ when }) => when?.frame),
      frames: yield* column(({ when }) => when && spans(when.frames)),
    },
  };
}

/** Few bodies have lists of their own: most are in the same sets as others. */
function setLists(lists: readonly (readonly number[])[]): Pick<TableData, 'setLists' | 'setsOf'> {
  const known = new Map<string, number>();
  const kept: (readonly number[])[] = [];
  const setsOf = lists.map(list => {
    const key = list.join();
    if (!known.has(key)) known.set(key, kept.push(list) - 1);
    return known.get(key)!;
  });
  return { setLists: kept, setsOf };
}

/** Writes what tells a part from others, besides its name: `IfcWall · 2O2Fr$t4X7Zf8NOew3FLOH · Site/Level 1`. */
export function notesOf(bodies: readonly ReportBody[]): (body: ReportBody) => string {
  const isOneFile = new Set(bodies.map(({ file }) => file)).size < 2;
  return ({ name, type, id, path, file }) => {
    // The last step is the part itself.
    const way = path && path.length > 1 ? pathText(path.slice(0, -1)) : undefined;
    const from = isOneFile || file === undefined || name.endsWith(`(${file})`) ? undefined : baseName(file);
    return [type, id, way, from].filter(part => part !== undefined && part !== name).join(' · ');
  };
}

/** Why a pair may meet, and what people have said about it. */
export function remarkOf({ reason, status }: ReportPair): string | undefined {
  const signed =
    status && [status.comment, [status.by, status.date].filter(Boolean).join(', ')].filter(Boolean);
  const parts = [reason, ...(signed ?? [])].filter(part => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : parts.join(' — ');
}
