// How many pairs of which verdict are there between which sets? The clash matrix of tables and reports. A body may be in
// several sets; its pairs then count in the cells of each.

import type { AssemblyPair, Bracket, Matrix, MatrixCell, Verdict } from '../assembly/types.ts';
import { verdictOf } from '../severity/order.ts';
import type { ResolvedRules, Sides } from './resolve.ts';
import { BodySet } from './sets/body-set.ts';
import type { RuleBody } from './sets/select.ts';

/** The row of bodies that are in no set. */
const others = 'other bodies';

interface Row {
  readonly name: string;
  readonly bodies: BodySet;
}

/** The matrix of the rules' sets; without rules, or if they have no sets, of the files. */
export function matrixOf(
  rules: ResolvedRules,
  bodies: readonly RuleBody[],
  pairs: readonly AssemblyPair[],
): Matrix {
  const rows = rowsOf(rules, bodies);
  // Bodies of one class and file are in the same rows, and share a list of them.
  const lists = new Map<string, number[]>();
  const listOf = bodies.map(({ file }, body) => {
    const key = `${rules.classes.of[body]} ${file}`;
    let list = lists.get(key);
    if (list === undefined) {
      lists.set(key, (list = rows.flatMap((row, i) => (row.bodies.has(body) ? [i] : []))));
    }
    return list;
  });
  const cells = new Map<number, Counted>();
  const cellOf = (p: number, q: number): Counted => {
    const [a, b] = p < q ? [p, q] : [q, p];
    const key = a * rows.length + b;
    let cell = cells.get(key);
    if (cell === undefined) cells.set(key, (cell = { a, b, checked: false, counts: new Map() }));
    return cell;
  };
  for (const [p, q] of checkedCells(rules.testSides, rows)) cellOf(p, q).checked = true;
  // Pairs whose bodies have the same two lists count in the same cells.
  const known = new Map<readonly number[], Map<readonly number[], readonly Counted[]>>();
  const cellsBetween = (p: readonly number[], q: readonly number[]): readonly Counted[] => {
    let ofFirst = known.get(p);
    if (ofFirst === undefined) known.set(p, (ofFirst = new Map()));
    let found = ofFirst.get(q);
    if (found === undefined) {
      ofFirst.set(q, (found = [...new Set(p.flatMap(row => q.map(column => cellOf(row, column))))]));
    }
    return found;
  };
  for (const pair of pairs) {
    for (const cell of cellsBetween(listOf[pair.a], listOf[pair.b])) count(cell, pair);
  }
  const used = [...cells.values()].sort((p, q) => p.a - q.a || p.b - q.b);
  return { sets: rows.map(({ name }) => name), cells: used.map(finished), setsOf: listOf };
}

function rowsOf(rules: ResolvedRules, bodies: readonly RuleBody[]): Row[] {
  const rows = rules.sets.map(({ name }, i) => ({ name, bodies: rules.setBodies[i] }));
  if (rows.length === 0) {
    const files = new Map<string | undefined, number>();
    const fileOf = bodies.map(({ file }) => {
      if (!files.has(file)) files.set(file, files.size);
      return files.get(file)!;
    });
    for (const [file, i] of files) {
      const ofFile = BodySet.where(bodies.length, body => fileOf[body] === i);
      rows.push({ name: file ?? others, bodies: ofFile });
    }
    return rows;
  }
  const left = BodySet.where(bodies.length, body => !rows.some(row => row.bodies.has(body)));
  return left.size === 0 ? rows : [...rows, { name: others, bodies: left }];
}

/**
 * Pairs of rows, with a pair of different bodies that some test names, one body in each row. Rows are compared with each
 * side of a test once, so the work is that of tests times rows, and one step per pair that is found.
 */
function* checkedCells(tests: readonly Sides[], rows: readonly Row[]): Generator<[number, number]> {
  const known = new Map<BodySet, { row: number; count: number; first: number }[]>();
  const rowsWith = (side: BodySet) => {
    let found = known.get(side);
    if (found === undefined) {
      const common = rows.map(({ bodies }, row) => ({ row, ...side.common(bodies) }));
      known.set(side, (found = common.filter(({ count }) => count > 0)));
    }
    return found;
  };
  const done = new Map<BodySet, Set<BodySet>>();
  for (const [first, second] of tests) {
    const others = done.get(first) ?? new Set();
    if (others.has(second)) continue;
    done.set(first, others.add(second));
    for (const p of rowsWith(first)) {
      for (const q of rowsWith(second)) {
        // One body alone makes no pair.
        if (p.count + q.count > 2 || p.first !== q.first) yield [p.row, q.row];
      }
    }
  }
}

interface Counted {
  readonly a: number;
  readonly b: number;
  checked: boolean;
  readonly counts: Map<Verdict, number>;
  worst?: Bracket | undefined;
}

function count(cell: Counted, pair: AssemblyPair): void {
  const verdict = verdictOf(pair);
  cell.counts.set(verdict, (cell.counts.get(verdict) ?? 0) + 1);
  if (verdict === 'clash') cell.worst = deeper(cell.worst, pair.depth);
}

/** Bounds of the greater of two depths. */
export function deeper(p: Bracket | undefined, q: Bracket | undefined): Bracket | undefined {
  if (p === undefined || q === undefined) return p ?? q;
  return { lower: Math.max(p.lower, q.lower), upper: Math.max(p.upper, q.upper) };
}

const finished = ({ a, b, checked, counts, worst }: Counted): MatrixCell => ({
  ...{ a, b, checked, counts: Object.fromEntries(counts) },
  ...(worst && { worst }),
});
