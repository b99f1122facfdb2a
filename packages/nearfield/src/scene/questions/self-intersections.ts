// Which triangles of one body share more than their common positions?

import type { SelfIntersections } from '../answer.ts';
import type { Body } from '../bodies/body.ts';
import type { Engine, Limits, RawAnswer } from '../engine.ts';
import { askAndDecide, decideSelf } from '../exact.ts';
import type { Asker } from './asker.ts';
import type { Question } from './question.ts';

export async function selfIntersections(
  asker: Asker,
  body: Body,
  limits: Limits,
): Promise<SelfIntersections> {
  const question = asker.ask(body);
  return asker.triangles(
    question,
    limits,
    engine => {
      const placed = engine.backend === 'gpu' ? question.momentAt(0) : question.readableAt(0);
      const ask = (limits: Limits) => engine.selfIntersect(placed, limits);
      return askAndDecide(ask, limits, question.readableAt, true);
    },
    (raw, engine) => answer(asker, raw, question, engine),
    () => [],
  );
}

export function selfIntersectionsSync(asker: Asker, body: Body, limits: Limits): SelfIntersections {
  const question = asker.ask(body);
  return answer(asker, asker.cpu.selfIntersectSync(body.moment(), limits), question, asker.cpu);
}

function answer(
  { cpu }: Asker,
  raw: RawAnswer,
  { readableAt }: Question,
  { backend }: Engine,
): SelfIntersections {
  return { triangles: decideSelf(raw, readableAt(0), cpu), method: 'hierarchy', backend, stats: raw.stats };
}
