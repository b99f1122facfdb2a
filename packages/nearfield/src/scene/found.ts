// From what an engine found to pairs of bodies: triangle pairs left open are decided (exact.ts), bodies whose surfaces
// do not meet are asked whether one holds a part of the other, and the pairs are put in order.

import type { PairsFound } from './answer.ts';
import type { Detail, Form, RawAnswer, SyncEngine } from './engine.ts';
import { decideAny, decideCounts, decidePairs } from './exact.ts';
import { asNow, type Moment, Snapshot } from './moment.ts';
import type { Question } from './question.ts';
import { holdsPartOf, mayHoldPartOf } from './relation/containment.ts';

export function findPairs(
  raw: RawAnswer,
  question: Question,
  detail: Detail,
  engine: SyncEngine,
): PairsFound {
  const { bodies, seen, readableAt } = question;
  const { candidates } = raw;
  const triangles = detail === 'list' ? decidePairs(raw, readableAt, engine) : undefined;
  const counts = detail === 'count' ? decideCounts(raw, readableAt, engine) : undefined;
  const some = detail === 'any' ? decideSome(raw, question, engine) : undefined;
  const shareInterior = interiorTest(question, engine);
  const most = candidates.length / 2;
  const kept = new Uint32Array(most);
  let count = 0;
  let inOrder = true;
  let last = -1;
  for (let c = 0; c < most; c++) {
    const meeting = triangles ? triangles.start[c + 1] - triangles.start[c] : (counts ?? some)![c];
    if (meeting === 0 && !shareInterior(candidates[2 * c], candidates[2 * c + 1])) continue;
    kept[count++] = c;
    const place = candidates[2 * c] * bodies.length + candidates[2 * c + 1];
    inOrder &&= place > last;
    last = place;
  }
  const order = kept.subarray(0, count);
  if (!inOrder) sortByBodies(order, candidates, engine);
  const rows = new Uint32Array(2 * count);
  for (let p = 0; p < count; p++) {
    rows[2 * p] = candidates[2 * order[p]];
    rows[2 * p + 1] = candidates[2 * order[p] + 1];
  }
  return {
    bodies,
    rows,
    triangles,
    candidates: order,
    counts: countsOf(order, triangles?.start, counts),
    snapshot: new Snapshot(seen, rows),
  };
}

/** How many triangle pairs each pair has, from where its triangles lie or from the candidates' counts. */
function countsOf(
  order: Uint32Array,
  start: Uint32Array | undefined,
  counts: Uint32Array | undefined,
): Uint32Array | undefined {
  if (start !== undefined) return order.map(c => start[c + 1] - start[c]);
  return counts && order.map(c => counts[c]);
}

/** Puts candidates in order of their bodies. */
function sortByBodies(order: Uint32Array, candidates: Uint32Array, engine: SyncEngine): void {
  const records = new Uint32Array(3 * order.length);
  order.forEach((c, p) => {
    records[3 * p] = candidates[2 * c];
    records[3 * p + 1] = candidates[2 * c + 1];
    records[3 * p + 2] = c;
  });
  engine.sortRecords(records);
  for (let p = 0; p < order.length; p++) order[p] = records[3 * p + 2];
}

/** Whether each candidate has a pair that meets; a hasty search is made in full where its first pair does not. */
function decideSome(raw: RawAnswer, { seen, readableAt }: Question, engine: SyncEngine): Uint8Array {
  const meets = decideAny(raw, readableAt);
  if (!raw.hasty) return meets;
  const doubtful = new Set<number>();
  for (let r = 0; r < raw.unsure.length; r += 3) if (meets[raw.unsure[r]] === 0) doubtful.add(raw.unsure[r]);
  if (doubtful.size === 0) return meets;
  const again = Uint32Array.from(
    [...doubtful].flatMap(c => [raw.candidates[2 * c], raw.candidates[2 * c + 1]]),
  );
  const full = decideAny(engine.interfereSync(seen, { detail: 'any', candidates: again }), readableAt);
  let i = 0;
  for (const c of doubtful) meets[c] = full[i++];
  return meets;
}

/**
 * Whether two solids whose surfaces do not meet share a point: then a part of one lies within the other. Asked of every
 * candidate without a pair of triangles, so what is the same for all of them is found once.
 */
function interiorTest(question: Question, engine: SyncEngine): (i: number, j: number) => boolean {
  const { seen, readableAt } = question;
  const held = question.isHeld;
  const readable = held ? { ...seen, forms: question.readableForms } : seen;
  return (i, j) => {
    if (held && (!maySolid(seen.forms[i]) || !maySolid(seen.forms[j]))) return false;
    const first = mayHoldPartOf(readable, i, j);
    const second = mayHoldPartOf(readable, j, i);
    if (!first && !second) return false;
    const ask = (a: Moment, b: Moment) =>
      (first && holdsPartOf(engine, a, b)) || (second && holdsPartOf(engine, b, a));
    return asNow(engine, readableAt(i), readableAt(j), ask);
  };
}

/** Whether a form is a solid, or may be: of positions on the GPU alone it is known once their welds are. */
const maySolid = ({ mesh, held }: Form): boolean => held?.weldsKept === false || mesh.solid;

/**
 * The forms whose positions `findPairs` will need on the CPU, of those that are on the GPU alone: solids of which no
 * two triangles certainly meet, since one may lie within the other.
 */
export function formsToRead({ candidates, certain, counts }: RawAnswer, { seen }: Question): Set<Form> {
  const needed = new Set<Form>();
  const meets = new Uint8Array(candidates.length / 2);
  for (let r = 0; r < certain.length; r += 3) meets[certain[r]] = 1;
  for (let c = 0; c < meets.length; c++) {
    if (meets[c] === 1 || (counts !== undefined && counts[c] > 0)) continue;
    const [a, b] = [seen.forms[candidates[2 * c]], seen.forms[candidates[2 * c + 1]]];
    if ((a.held === undefined && b.held === undefined) || !maySolid(a) || !maySolid(b)) continue;
    needed.add(a).add(b);
  }
  return needed;
}
