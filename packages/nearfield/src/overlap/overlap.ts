// What do two solids have in common, and how much? Volume, area and middle of the common part. Which parts of the two surfaces
// bound it is decided exactly, as for contacts; volume and area are sums in doubles with a bound of their error, never samples.

import type { Body } from '../bodies/body.ts';
import { atSnapshotInSteps } from '../bodies/snapshot/snapshot-body.ts';
import { selfFinderOf } from '../contacts/outer/self-partners.ts';
import { bad, checkOptions, limitRules } from '../core/arguments.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { inSlices, throwIfAborted, toEnd } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import type { Answer } from '../interferences/answer/answer.ts';
import { askTriangles } from '../interferences/ask.ts';
import { interfere } from '../interferences/driver.ts';
import { decidePairs } from '../interferences/exact.ts';
import { cpuPairs } from '../interferences/hierarchy/cpu/driver.ts';
import { type RawAnswer, thePair } from '../interferences/request.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkSolid, checkTwo } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { measureCommon } from './measure.ts';

/** What two solids have in common: the points that lie in both. Exchanging the solids changes nothing. */
export interface Overlap extends Answer {
  /** The volume of the common part, in cubed world units; 0 if the solids are separate or only touch. */
  readonly volume: number;
  /** The true volume differs from `volume` by no more than this. Derived in overlap/sums.ts and overlap/measure.ts. */
  readonly volumeError: number;
  /**
   * The area of the surface of the common part, in squared world units. A face in which the solids only touch is a common part
   * without thickness: it counts once.
   */
  readonly area: number;
  /**
   * The true area differs from `area` by no more than this, unless a solid overlaps itself: where its own parts cross at a
   * small angle, the line of the cut is less certain than the surface.
   */
  readonly areaError: number;
  /** The part of `area` that is faces in which the solids only touch. */
  readonly touchingArea: number;
  /**
   * The middle of the common part (of its volume; if it has none, of its area, its lines or its points), as a world point: x, y, z.
   * If the middle does not lie in both solids, as for a ring, the point of the common part nearest to it. It lies in both
   * solids, up to 2^-42 of the size of the triangles there and 2^-50 of its coordinates. Undefined if the solids are
   * separate, or meet only where a body has no thickness and so bounds no solid.
   */
  readonly point: Float64Array | undefined;
}

/** `scene.overlap` describes the answer. */
export async function overlap(scene: BareScene, a: Body, b: Body, limits: Limits = {}): Promise<Overlap> {
  checkTwo('overlap', a, b);
  const core = coreOf(scene);
  const question = questionAbout('overlap', core, a, b, limits);
  return askTriangles(
    core,
    question,
    'overlap',
    limits,
    engine =>
      interfere(engine, question.seenBy(engine), { ...limitsOfPart(limits, 0, meetingShare), ...thePair }),
    (raw, engine) =>
      inSlices(
        answer(core.cpu, raw, question, engine.backend),
        limitsOfPart(limits, meetingShare, 1),
        () => {},
      ),
    () => question.seen.shapeStates,
  );
}

/** `scene.overlapSync` describes the answer. */
export function overlapSync(scene: BareScene<'cpu'>, a: Body, b: Body, limits: Limits = {}): Overlap {
  checkTwo('overlapSync', a, b);
  const core = coreOf(scene);
  core.checkSync('overlapSync');
  const question = questionAbout('overlapSync', core, a, b, limits);
  const raw = cpuPairs(core.cpu).interfereSync(question.seen, thePair);
  return toEnd(answer(core.cpu, raw, question, 'cpu'));
}

/** The body with the lower index comes first, so that exchanging the bodies changes nothing. */
function questionAbout(name: string, core: SceneCore, a: Body, b: Body, limits: Limits): Question {
  checkOptions(limits, limitRules, name, 'limits');
  if (a === b) throw bad(`${name} needs two different bodies, but got ${a.name} twice`);
  const question = a.index < b.index ? core.questionAbout(a, b) : core.questionAbout(b, a);
  throwIfAborted(limits);
  // Whether positions on the GPU make a solid is known once they are read back.
  question.seen.shapeStates.forEach(({ mesh, onGpu }, i) => {
    if (onGpu === undefined) checkSolid(question.bodies[i], mesh, soWhat);
  });
  return question;
}

const soWhat =
  'it encloses no volume; scene.contacts(a, b) and the points of interferences tell where open bodies meet';

/** The share of the progress after the triangles that meet are known. */
const meetingShare = 0.3;

function* answer(
  engine: CpuEngine,
  raw: RawAnswer,
  { bodies, readableAt }: Question,
  backend: 'cpu' | 'gpu',
): Generator<number, Overlap> {
  const [a, b] = [readableAt(0), readableAt(1)];
  checkSolid(bodies[0], a.mesh, soWhat);
  checkSolid(bodies[1], b.mesh, soWhat);
  const { triangles } = decidePairs(raw, readableAt, engine);
  yield 0;
  const { point, ...measured } = yield* atSnapshotInSteps(engine, a, b, (first, second) =>
    measureCommon(selfFinderOf(engine), first, second, triangles),
  );
  return {
    ...measured,
    point: point && Float64Array.from(point, x => x + 0),
    method: 'hierarchy',
    backend,
    stats: { ...raw.stats, backend },
  };
}
