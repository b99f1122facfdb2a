// How many pairs of which verdict are there between which sets? The clash matrix of tables and reports. A body may be in
// several sets; its pairs then count in the cells of each.

import type { AssemblyPair, Bracket, Matrix, MatrixCell, Verdict } from '../assembly/types.ts';
import { verdictOf } from '../severity/order.ts';
import type { ResolvedRules } from './resolve.ts';
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
  const rowsByBody = new Map<string, number[]>();
  // Bodies in the same rows share a list, so that each combination of lists is looked at once per verdict.
  const listOf = bodies.map((_, body) => {
    const list = rows.flatMap((row, i) => (row.bodies.has(body) ? [i] : []));
    const key = list.join();
    if (!rowsByBody.has(key)) rowsByBody.set(key, list);
    return rowsByBody.get(key)!;
  });
  const cells = new Map<number, Counted>();
  const cellOf = (p: number, q: number): Counted => {
    const [a, b] = p < q ? [p, q] : [q, p];
    const key = a * rows.length + b;
    let cell = cells.get(key);
    if (cell === undefined) cells.set(key, (cell = { a, b, checked: false, counts: new Map() }));
    return cell;
  };
  for (let p = 0; p < rows.length; p++) {
    for (let q = p; q < rows.length; q++) {
      if (rules.testSides.some(sides => namesPairOf(sides, rows[p].bodies, rows[q].bodies))) {
        cellOf(p, q).checked = true;
      }
    }
  }
  for (const pair of pairs) {
    const seen = new Set<Counted>();
    for (const p of listOf[pair.a]) for (const q of listOf[pair.b]) seen.add(cellOf(p, q));
    for (const cell of seen) count(cell, pair);
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

/** Whether the two sides name a pair of different bodies, one of `p` and one of `q`. */
function namesPairOf([first, second]: readonly [BodySet, BodySet], p: BodySet, q: BodySet): boolean {
  const meet = (a: BodySet, b: BodySet) => {
    const [left, right] = [first.common(a), second.common(b)];
    return left.count > 0 && right.count > 0 && (left.count + right.count > 2 || left.first !== right.first);
  };
  return meet(p, q) || meet(q, p);
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
