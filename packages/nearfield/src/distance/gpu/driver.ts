// Distances on the GPU: between pairs of bodies (nearest-search.ts), and of points (closest-search.ts).

import type { Placed, Snapshot, SnapshotSource } from '../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../bodies/snapshot/snapshot-of.ts';
import { askWithTrees, type TreeTurn, treesIn } from '../../bvh/gpu/ask.ts';
import { shapesOf } from '../../bvh/gpu/asked-shapes.ts';
import type { GpuEngine } from '../../gpu/engine.ts';
import type { Session } from '../../gpu/session.ts';
import { hierarchyIn, visibilityIn } from '../../interferences/gpu-driver.ts';
import { mayShareInterior } from '../../interferences/relation/containment.ts';
import { pairsLeft, type VisibilityCulling } from '../../interferences/visibility/visibility.ts';
import type { GpuDistanceDriver } from '../driver.ts';
import type {
  AskedPoints,
  NearestPairsRequest,
  NearTriangles,
  NearTrianglesRequest,
  RawNearest,
} from '../request.ts';
import { ClosestSearch } from './closest/closest-search.ts';
import { createClosestKernels, createDistanceKernels } from './kernels.ts';
import type { DistanceRoom } from './lists.ts';
import { NearestSearch } from './nearest-search.ts';

async function createNearest(session: Session): Promise<NearestSearch> {
  const { device, software } = session.opened;
  const kernels = await session.program(createDistanceKernels);
  const room = session.settings.distanceRoom as DistanceRoom | undefined;
  const orderFrom = session.settings.orderFrom as number | undefined;
  const options = { software, room, orderFrom };
  return new NearestSearch(device, kernels, await treesIn(session), session.stopwatch, options);
}

async function createClosest(session: Session): Promise<ClosestSearch> {
  const kernels = await session.program(createClosestKernels);
  const most = session.settings.pointsAtOnce as number | undefined;
  return new ClosestSearch(session.opened.device, kernels, await treesIn(session), most);
}

export const createDriver = (engine: GpuEngine): GpuDistanceDriver => new GpuDistances(engine);

class GpuDistances implements GpuDistanceDriver {
  readonly #engine: GpuEngine;

  constructor(engine: GpuEngine) {
    this.#engine = engine;
  }

  nearestPairs(list: SnapshotSource, request: NearestPairsRequest): Promise<RawNearest> {
    const bodies = snapshotOf(list);
    const { candidates, upTo, visibility } = request;
    return askWithTrees(
      this.#engine,
      shapesOf(bodies),
      request,
      async session => ({
        search: await session.part(createNearest),
        culling: visibility && (await (await visibilityIn(session)).culling('near', visibility)),
      }),
      async ({ search, culling }, turn) => {
        const builtBefore = turn.trees.builds;
        const left = culling && (await bodiesLeft(bodies, request, culling, turn));
        const answer = await search.run(bodies, {
          candidates: left?.pairs ?? candidates,
          upTo,
          preparation: left ? undefined : turn.preparation,
          checkpoint: turn.checkpoint,
        });
        if (culling)
          answer.stats.visibility = {
            ...culling.stats,
            boxPairs: left!.boxPairs,
            treesBuilt: turn.trees.builds - builtBefore,
          };
        turn.checkpoint(1);
        return answer;
      },
    );
  }

  nearTriangles(
    body: Placed,
    points: AskedPoints,
    request: NearTrianglesRequest,
  ): Promise<NearTriangles | undefined> {
    return askWithTrees(
      this.#engine,
      [body.shape],
      request,
      session => session.part(createClosest),
      (search, { preparation, checkpoint }) => search.run(body, points, request, { preparation, checkpoint }),
      { atOnce: true },
    );
  }
}

/** The pairs of bodies that may be nearer than asked, without those that the culling leaves out. */
async function bodiesLeft(
  bodies: Snapshot,
  { candidates, upTo }: NearestPairsRequest,
  culling: VisibilityCulling,
  { session, preparation }: TreeTurn,
): Promise<{ readonly pairs: Uint32Array; readonly boxPairs: number }> {
  const options = { detail: 'count', traversal: 'walk', candidates, clearance: upTo } as const;
  const answer = await (await hierarchyIn(session)).run(bodies, { ...options, culling, preparation });
  const pairs = pairsLeft(answer, (a, b, outside) => mayShareInterior(bodies, a, b, outside));
  return { pairs, boxPairs: answer.candidates.length / 2 };
}
