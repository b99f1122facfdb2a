// Finds pairs of triangles on the GPU: by trees (hierarchy/gpu), after images have left out bodies and triangles if
// asked (visibility, whose code is loaded by the first such question).

import { isAnyOnGpu } from '../bodies/on-gpu/buffers.ts';
import type { Placed, Snapshot, SnapshotSource } from '../bodies/snapshot/snapshot.ts';
import { type SnapshotPoses, snapshotLike, snapshotOf } from '../bodies/snapshot/snapshot-of.ts';
import { askWithTrees, treesIn } from '../bvh/gpu/ask.ts';
import { shapesOf } from '../bvh/gpu/asked-shapes.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import type { GpuEngine } from '../gpu/engine.ts';
import type { Session } from '../gpu/session.ts';
import type { GpuPairDriver } from './driver.ts';
import { Hierarchy, type HierarchyOptions } from './hierarchy/gpu/hierarchy.ts';
import { createHierarchyKernels, type GpuTraversal } from './hierarchy/gpu/kernels.ts';
import type { Room } from './hierarchy/gpu/lists.ts';
import type { InterfereRequest, LevelOptions, RawAnswer, SelfRequest } from './request.ts';
import type { Subject } from './visibility/kernels.ts';
import type { VisibilityRequest } from './visibility/options.ts';
import type { Visibility, VisibilityCulling, VisibilityRoom } from './visibility/visibility.ts';

/** The initial capacities of a session's lists. */
const usualRoom: Room = {
  candidates: 4096,
  leafPairs: 2 ** 18,
  certain: 2 ** 15,
  unsure: 2 ** 12,
  nodePairs: 2 ** 17,
};

/** The hierarchy method of a session. */
export const hierarchyIn = (session: Session): Hierarchy | Promise<Hierarchy> =>
  session.part(createHierarchy);

async function createHierarchy(session: Session): Promise<Hierarchy> {
  const { opened, settings, stopwatch } = session;
  const kernels = await session.program(createHierarchyKernels);
  const room = (settings.room ?? usualRoom) as Room;
  // The number of bodies from which on the broad phase sorts them.
  const orderFrom = settings.orderFrom as number | undefined;
  const options = { software: opened.software, room, orderFrom };
  return new Hierarchy(opened.device, kernels, await treesIn(session), stopwatch, options);
}

/** The visibility method of a session. */
export const visibilityIn = (session: Session): Visibility | Promise<Visibility> =>
  session.part(createVisibilityPart);

async function createVisibilityPart(session: Session): Promise<Visibility> {
  const { createVisibility } = await import('./visibility/visibility.ts');
  const { device, software } = session.opened;
  const { resources } = (await hierarchyIn(session)).front;
  const room = session.settings.visibilityRoom as VisibilityRoom | undefined;
  return createVisibility(device, await treesIn(session), resources, { software, room });
}

export const createDriver = (engine: GpuEngine): GpuPairDriver => new GpuPairs(engine);

class GpuPairs implements GpuPairDriver {
  readonly #engine: GpuEngine;
  /** The snapshot of the last body that was tested against itself. Repeated questions about it reuse its poses. */
  #alone: SnapshotPoses | undefined;

  constructor(engine: GpuEngine) {
    this.#engine = engine;
  }

  async compile(): Promise<void> {
    await hierarchyIn(this.#engine.sessionNow());
  }

  interfere(bodies: SnapshotSource, request: InterfereRequest): Promise<RawAnswer> {
    const { detail, candidates, stopAtFirst, most, visibility, levels } = request;
    if (levels !== undefined) checkLevels(levels);
    const asked = request.traversal ?? 'auto';
    const traversal = asked === 'auto' ? this.#usualTraversal : asked;
    // A search that stopped too early is repeated on the CPU, by trees.
    const stop = stopAtFirst && visibility?.survivors !== 'sweep';
    const fromRoots = levels?.coherence === 'none';
    const options = { detail, candidates, traversal, stopAtFirst: stop, most, fromRoots };
    return this.#triangles(snapshotOf(bodies), options, request, visibility);
  }

  async selfIntersect(body: Placed, request: SelfRequest): Promise<RawAnswer> {
    const { visibility } = request;
    // With images there are two candidates: what the images leave, and what lies within a patch
    // (visibility/survivors/self-pair.wgsl).
    const candidates = new Uint32Array(visibility ? [0, 0, 0, 0] : [0, 0]);
    const options = { detail: 'list', candidates, traversal: this.#usualTraversal, self: true } as const;
    const bodies = snapshotLike([body], this.#alone);
    const { count, poses, table } = bodies;
    this.#alone = { count, poses, table };
    const answer = await this.#triangles(bodies, options, request, visibility);
    return visibility ? asOnePart(answer) : answer;
  }

  /**
   * The traversal if a question leaves it open; all give the same answers. The default is the walk. On an H200 it
   * took 0.23 ms against 0.30 ms level by level (all pairs of 2 × 69,620 triangles), and never more for a body
   * against itself (8,000 to 800,000 triangles), with three dispatches in place of twenty.
   */
  get #usualTraversal(): GpuTraversal {
    return (this.#engine.settings.traversal as GpuTraversal | undefined) ?? 'walk';
  }

  #triangles(
    bodies: Snapshot,
    options: HierarchyOptions,
    limits: Limits,
    visibility?: VisibilityRequest,
  ): Promise<RawAnswer> {
    const { detail, candidates, traversal, self = false, stopAtFirst, most, fromRoots } = options;
    const treeless = visibility?.survivors === 'sweep';
    return askWithTrees(
      this.#engine,
      shapesOf(bodies),
      limits,
      session => toolsIn(session, self ? 'self' : detail, visibility),
      async ({ hierarchy, culling }, { trees, preparation, checkpoint }) => {
        const builtBefore = trees.builds;
        const onGpu = isAnyOnGpu(bodies.shapeStates);
        // Named one by one: spreading objects costs a small question microseconds.
        const answer = await hierarchy.run(bodies, {
          detail,
          candidates,
          traversal,
          self,
          stopAtFirst,
          most,
          fromRoots,
          culling,
          preparation,
          checkpoint,
          onGpu,
        });
        if (bodies.onGpu !== undefined) await bodies.onGpu.copy.copied;
        if (culling)
          answer.stats.visibility = {
            ...culling.stats,
            boxPairs: answer.candidates.length / 2,
            treesBuilt: trees.builds - builtBefore,
          };
        checkpoint(1);
        return treeless ? { ...answer, treeless } : answer;
      },
      { welded: self, treeless },
    );
  }
}

/** Throws 'unsupported' for what only the CPU's breadth-first traversal can do. */
function checkLevels(options: LevelOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== '18-dops' && value !== 'front' && value !== 'splits') continue;
    throw new NearfieldError(
      'unsupported',
      `${name} '${value}' is for the CPU; open({ backend: 'cpu' }) has it`,
    );
  }
}

interface Tools {
  readonly hierarchy: Hierarchy;
  readonly culling: VisibilityCulling | undefined;
}

/** What a question needs from its session: at once if all of it has been made. */
function toolsIn(
  session: Session,
  subject: Subject,
  visibility: VisibilityRequest | undefined,
): Tools | Promise<Tools> {
  const hierarchy = hierarchyIn(session);
  if (hierarchy instanceof Promise || visibility !== undefined)
    return makeTools(session, subject, visibility);
  return { hierarchy, culling: undefined };
}

async function makeTools(
  session: Session,
  subject: Subject,
  visibility: VisibilityRequest | undefined,
): Promise<Tools> {
  const hierarchy = await hierarchyIn(session);
  const culling = visibility && (await (await visibilityIn(session)).culling(subject, visibility));
  return { hierarchy, culling };
}

/** Records of one mesh's two parts as those of one. */
function asOnePart(answer: RawAnswer): RawAnswer {
  for (const records of [answer.certain, answer.unsure]) {
    for (let r = 0; r < records.length; r += 3) records[r] = 0;
  }
  return { ...answer, candidates: new Uint32Array([0, 0]) };
}
