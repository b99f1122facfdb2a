// Which triangles of one body share more than their common positions?

import { type SelfVisibilityOptions, selfVisibilityOf } from '../../methods/visibility/options.ts';
import type { SelfIntersections } from '../answer.ts';
import type { Body } from '../bodies/body.ts';
import type { Engine, Limits, RawAnswer } from '../engine.ts';
import { askAndDecide, decideSelf } from '../exact.ts';
import { withoutGpu } from '../method.ts';
import type { Asker } from './asker.ts';
import type { Question } from './question.ts';

export interface SelfIntersectionOptions extends Limits, SelfVisibilityOptions {
  /**
   * Every method gives the same answer. 'hierarchy': trees, on any backend. 'visibility': images leave out triangles that
   * they show to be clear of all patches of the mesh but their own; on a GPU. 'auto' (default) chooses 'hierarchy'.
   */
  readonly method?: 'auto' | 'hierarchy' | 'visibility' | undefined;
}

export async function selfIntersections(
  asker: Asker,
  body: Body,
  options: SelfIntersectionOptions,
): Promise<SelfIntersections> {
  const visibility = selfVisibilityOf(options, options.method);
  if (visibility !== undefined && asker.engine.backend !== 'gpu') throw withoutGpu('visibility');
  const { signal, progress } = options;
  const limits = { signal, progress };
  const question = asker.ask(body);
  return asker.triangles(
    question,
    limits,
    engine => {
      const placed = engine.backend === 'gpu' ? question.momentAt(0) : question.readableAt(0);
      const ask = (limits: Limits) => engine.selfIntersect(placed, { ...limits, visibility });
      return askAndDecide(ask, limits, question.readableAt, true);
    },
    (raw, engine) => answer(asker, raw, question, engine),
    () => [],
  );
}

export function selfIntersectionsSync(
  asker: Asker,
  body: Body,
  options: SelfIntersectionOptions,
): SelfIntersections {
  if (selfVisibilityOf(options, options.method) !== undefined) throw withoutGpu('visibility');
  const { signal, progress } = options;
  const limits = { signal, progress };
  const question = asker.ask(body);
  return answer(asker, asker.cpu.selfIntersectSync(body.moment(), limits), question, asker.cpu);
}

function answer(
  { cpu }: Asker,
  raw: RawAnswer,
  { readableAt }: Question,
  { backend }: Engine,
): SelfIntersections {
  const method = raw.stats.visibility === undefined ? 'hierarchy' : 'visibility';
  return { triangles: decideSelf(raw, readableAt(0), cpu), method, backend, stats: raw.stats };
}
