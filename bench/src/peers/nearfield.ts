// Nearfield itself, through its public interface. Trees are built at the first question, so a cold answer includes
// the build. Build and refit are measured by asking about one single triangle in the middle of the mesh's box: the
// question itself then costs almost nothing. The synchronous form runs on one thread; the asynchronous one shares
// long questions among as many threads as there are cores.

import {
  type ClosestPoints,
  type ClosestTriangles,
  type Contacts,
  CpuScene,
  type Distance,
  type DistanceField,
  type DistanceMap,
  type FirstContact,
  type Interferences,
  type IntersectionVolume,
  mesh,
  type Overlap,
  open,
  type Penetration,
  type Proximities,
  type RayHits,
  type RegionHits,
  type SelfIntersections,
} from 'nearfield';
import { useBreadthFirst } from 'nearfield/breadth-first';
import { boxesOf, type Case, type Frame, raysOf, spheresOf } from '../case.ts';
import { boxClearance } from '../scenes/measures/distance.ts';
import { extent } from '../scenes/meshes/generated.ts';
import { checkAssembly, measuredPixels, samplesOf } from './answers.ts';
import { crowdSession } from './crowd.ts';
import { inBuffers, openDevice } from './device.ts';
import { distancePairs, type Engine, onePair, type Session } from './engine.ts';

export const kinds = [
  'cpu',
  'cpu async',
  'cpu breadth-first',
  'cpu 18-dops',
  'gpu',
  'auto',
  'gpu breadth-first',
  'gpu visibility',
  'gpu buffers',
  'gpu poses in place',
] as const;
export type Kind = (typeof kinds)[number];

/** Engines that take part in some scenes only. */
export const nearfieldScenes: ReadonlyMap<Kind, readonly string[]> = new Map([
  ['cpu breadth-first', ['rotating']],
  ['cpu 18-dops', ['rotating']],
  ['gpu breadth-first', ['rotating']],
  ['auto', ['choice']],
  ['gpu visibility', ['visibility']],
  ['gpu buffers', ['boxes', 'deform', 'trees']],
  ['gpu poses in place', ['boxes']],
]);

/**
 * 'cpu' is the synchronous form on one thread. 'cpu breadth-first' and 'gpu breadth-first' have the traversal of Gress
 * and Zachmann, for their figure: GPU against CPU with the same traversal. 'cpu 18-dops' is the same with other bounding
 * volumes. 'gpu visibility' is the method of Govindaraju
 * et al. on the GPU, for their scenes. 'gpu buffers' gets new positions or poses in GPUBuffers, as from a simulation
 * on the GPU. 'gpu poses in place' gets poses written into the scene's own memory, as by a simulation that borrows
 * it. All threads decide what a GPU leaves to the CPU, as they do for users. 'auto' chooses between the CPU, on all
 * threads, and the GPU for every question. `given` is a device to use.
 */
export async function createNearfield(kind: Kind, given?: GPUDevice): Promise<Engine> {
  const own = given === undefined && (kind === 'gpu buffers' || kind === 'auto');
  const device = own ? await openDevice() : given;
  const nf = await open({
    backend: kind === 'auto' ? 'auto' : kind.startsWith('gpu') ? 'gpu' : 'cpu',
    ...(kind.startsWith('cpu') && kind !== 'cpu async' ? { threads: 1 } : {}),
    ...(device && { device }),
  });
  const placed = kind === 'gpu buffers' ? inBuffers(device!) : undefined;
  const volumes = kind === 'cpu 18-dops' ? '18-dops' : 'boxes';
  const levels = kind.endsWith('breadth-first') || volumes === '18-dops';
  const way = levels ? ({ traversal: 'breadth-first', volumes } as const) : {};
  if (levels) useBreadthFirst();
  const method = kind === 'gpu visibility' ? 'visibility' : 'auto';
  const synchronous = kind === 'cpu' || (levels && nf.backend === 'cpu');
  const settings = {
    cpu: 'one thread, synchronous',
    'cpu breadth-first': 'one thread, synchronous, level by level',
    'cpu 18-dops': 'one thread, synchronous, level by level, 18-DOPs',
    'cpu async': 'asynchronous, a thread per core for long questions',
    gpu: nf.name,
    auto: `${nf.name}, or the CPU on all threads`,
    'gpu breadth-first': `${nf.name}; level by level`,
    'gpu visibility': `${nf.name}; images at the scene's default resolution`,
    'gpu buffers': `${nf.name}; positions and poses in GPUBuffers`,
    'gpu poses in place': `${nf.name}; poses written to memory borrowed from the scene`,
  };
  const only = nearfieldScenes.get(kind);
  return {
    name: `Nearfield ${kind}`,
    version: '0.1.0',
    ...(only !== undefined && { only }),
    setting: () => settings[kind],
    cannot: ({ question }) =>
      placed && question === 'boxes' ? 'candidates alone are found on the CPU' : undefined,
    close: () => {
      nf.close();
      if (own) device?.destroy();
    },
    load(job: Case): Session {
      const scene = nf.scene();
      /** The scene, if it has the synchronous forms. */
      const syncScene = synchronous && scene instanceof CpuScene ? scene : undefined;
      const interferences = (detail: 'list' | 'count' | 'any') =>
        syncScene
          ? syncScene.interferencesSync({ detail, ...way })
          : scene.interferences({ detail, method, ...way });
      if (job.question === 'scene') return crowdSession(scene, job, interferences);
      const bodies = job.bodies.map(({ mesh, pose }) => scene.add(mesh, { pose }));
      let written: { readonly of: Float64Array; readonly room: Float64Array } | undefined;
      const write = ({ allPoses }: Frame): void => {
        if (!allPoses) return;
        const room = scene.borrowPoses();
        room.set(allPoses);
        written = { of: allPoses, room };
      };
      /** The frame that was last asked about. */
      let frame = 0;
      const moved = (question: () => unknown) => (to: Frame) => {
        const { allPoses, positions, allPositions } = to;
        frame = job.frames.indexOf(to);
        if (allPoses && placed) scene.setPoses(placed(singlesOf(allPoses)));
        else if (allPoses) scene.setPoses(written?.of === allPoses ? written.room : allPoses);
        written = undefined;
        if (positions) bodies[0].deform(placed?.(positions) ?? positions);
        allPositions?.forEach((own, i) => {
          bodies[i].deform(own);
        });
        return question();
      };
      const close = () => {
        for (const body of bodies) scene.remove(body);
      };
      switch (job.question) {
        case 'pairs':
          return {
            ask: moved(() => interferences('list')),
            count: moved(() => interferences('count')),
            pairs: answer => [...(answer as Interferences)][0]?.triangles ?? new Uint32Array(),
            close,
          };
        case 'any':
          return {
            ask: moved(() => interferences('any')),
            pairs: answer => onePair((answer as Interferences).length > 0),
            close,
          };
        case 'bodies':
          return {
            ...(kind === 'gpu poses in place' && { write }),
            ask: moved(() =>
              syncScene
                ? withIndices(syncScene.interferencesSync({ detail: 'any' }))
                : scene.interferences({ detail: 'any' }).then(withIndices),
            ),
            pairs: answer => (answer as Interferences).indices,
            close,
          };
        case 'boxes':
          return {
            ask: moved(() => scene.candidates().indices),
            pairs: answer => answer as Uint32Array,
            close,
          };
        case 'relation':
          return {
            ask: moved(async () => {
              const answer = await interferences('list');
              return [...answer].map(({ relation }) => relation);
            }),
            pairs: answer => onePair((answer as string[]).length > 0),
            close,
          };
        case 'relations':
        case 'points':
        case 'check':
          return {
            ask: moved(() => checkAssembly(scene, job.question)),
            pairs: answer => answer as Uint32Array,
            close,
          };
        case 'self':
          return {
            ask: moved(() =>
              syncScene
                ? syncScene.selfIntersectionsSync(bodies[0])
                : scene.selfIntersections(bodies[0], { method }),
            ),
            pairs: answer => (answer as SelfIntersections).triangles,
            close,
          };
        case 'motion':
          return {
            ask: moved(() => {
              const { positions, poses } = job.frames[(frame + 1) % job.frames.length];
              const turning = poses?.map((to, i) => ({ body: bodies[i], to })) ?? [];
              const deforming = positions === undefined ? [] : [{ body: bodies[0], positions }];
              const motion = { bodies: [...turning, ...deforming] };
              const options = poses ? {} : ({ which: 'triangles', self: true } as const);
              return syncScene
                ? syncScene.firstContactSync(motion, options)
                : scene.firstContact(motion, options);
            }),
            pairs: answer =>
              Uint32Array.from(
                (answer as FirstContact[]).flatMap(({ triangleA, triangleB }) => [triangleA, triangleB]),
              ),
            close,
          };
        case 'distance':
          return {
            ask: moved(() =>
              syncScene ? syncScene.distanceSync(bodies[0], bodies[1]) : scene.distance(bodies[0], bodies[1]),
            ),
            pairs: answer => distancePairs([(answer as Distance).distance]),
            close,
          };
        case 'separation':
        case 'penetration': {
          const options = job.question === 'separation' ? { stopAtRatio: Infinity } : {};
          return {
            ask: moved(() =>
              syncScene
                ? syncScene.penetrationSync(bodies[0], bodies[1], options)
                : scene.penetration(bodies[0], bodies[1], options),
            ),
            // Counts the placements whose depth is known to a factor of two.
            pairs: answer => onePair((answer as Penetration).ratio <= 2),
            close,
          };
        }
        case 'contacts':
          return {
            ask: moved(() =>
              syncScene ? syncScene.contactsSync(bodies[0], bodies[1]) : scene.contacts(bodies[0], bodies[1]),
            ),
            // The first triangle of either body in each patch.
            pairs: answer =>
              Uint32Array.from(
                [...(answer as Contacts)].flatMap(({ trianglesA, trianglesB }) => [
                  trianglesA[0],
                  trianglesB[0],
                ]),
              ),
            close,
          };
        case 'overlap':
          return {
            ask: moved(() =>
              syncScene ? syncScene.overlapSync(bodies[0], bodies[1]) : scene.overlap(bodies[0], bodies[1]),
            ),
            pairs: answer => onePair((answer as Overlap).volume > 0),
            close,
          };
        case 'clearance':
          return {
            ask: moved(() => (syncScene ? syncScene.withinSync(boxClearance) : scene.within(boxClearance))),
            pairs: answer =>
              Uint32Array.from([...(answer as Proximities)].flatMap(({ a, b }) => [a.index, b.index])),
            close,
          };
        case 'closest': {
          const points = Float64Array.from(job.bodies[1].mesh.positions);
          return {
            ask: moved(() =>
              syncScene ? syncScene.closestSync(bodies[0], points) : scene.closest(bodies[0], points),
            ),
            pairs: answer => distancePairs((answer as ClosestPoints).distances),
            close,
          };
        }
        case 'nearest': {
          const points = Float64Array.from(job.bodies[1].mesh.positions);
          const options = { detail: 'triangles' } as const;
          return {
            ask: moved(() =>
              syncScene
                ? syncScene.closestSync(bodies[0], points, options)
                : scene.closest(bodies[0], points, options),
            ),
            pairs: answer => {
              const { triangles } = answer as ClosestTriangles;
              return Uint32Array.from({ length: 2 * triangles.length }, (_, i) =>
                i % 2 ? triangles[i >> 1] : i >> 1,
              );
            },
            close,
          };
        }
        case 'rays':
        case 'hits': {
          const rays = raysOf(job);
          const options = { hits: job.question === 'rays' ? 'first' : 'all' } as const;
          return {
            ask: moved(() =>
              syncScene ? syncScene.raysSync(bodies[0], rays, options) : scene.rays(bodies[0], rays, options),
            ),
            pairs: answer => {
              const { rays: hit, triangles } = answer as RayHits;
              return Uint32Array.from(
                { length: 2 * hit.length },
                (_, i) => (i % 2 ? triangles : hit)[i >> 1],
              );
            },
            close,
          };
        }
        case 'inBox':
        case 'inSphere': {
          const { question } = job;
          const regions = question === 'inBox' ? boxesOf(job) : spheresOf(job);
          return {
            ask: moved(() =>
              syncScene
                ? syncScene[`${question}Sync`](bodies[0], regions)
                : scene[question](bodies[0], regions),
            ),
            pairs: answer =>
              Uint32Array.from(
                [...(answer as RegionHits)].flatMap(({ region, triangles }) =>
                  Array.from(triangles!, triangle => [region, triangle]).flat(),
                ),
              ),
            close,
          };
        }
        case 'volume': {
          const { tolerance, localisation } = job;
          const options = { tolerance, localisation, depths: true };
          return {
            ask: moved(() =>
              syncScene
                ? syncScene.intersectionVolumeSync(bodies, options)
                : scene.intersectionVolume(bodies, options),
            ),
            pairs: answer => samplesOf(answer as IntersectionVolume),
            close,
          };
        }
        case 'map': {
          const [a, b] = bodies;
          return {
            ask: moved(() =>
              syncScene ? syncScene.distanceMapSync(a, b, job.images) : scene.distanceMap(a, b, job.images),
            ),
            pairs: answer => measuredPixels(answer as DistanceMap),
            close,
          };
        }
        case 'field': {
          const { resolution, form } = job.images ?? {};
          const options = { resolution, form };
          return {
            ask: moved(() =>
              syncScene ? syncScene.fieldSync(bodies[0], options) : scene.field(bodies[0], options),
            ),
            // Distances by distance meshes are approximate, but their signs are exact.
            pairs: answer => {
              const { distance } = answer as DistanceField;
              return distancePairs(form === undefined ? distance : distance.map(Math.sign));
            },
            close,
          };
        }
        case 'build':
        case 'refit': {
          const { mesh } = job.bodies[0];
          const lone = scene.add(speckIn(mesh.bounds));
          const built = placed && job.question === 'build' ? placed(singlesOf(mesh.positions)) : undefined;
          return {
            ask: moved(() => {
              if (built) bodies[0].deform(built, { rebuild: true });
              return interferences('any');
            }),
            pairs: () => new Uint32Array(),
            close: () => {
              close();
              scene.remove(lone);
            },
          };
        }
      }
    },
  };
}

/** The answer, once its list of pairs has been made. */
function withIndices(answer: Interferences): Interferences {
  void answer.indices;
  return answer;
}

/** Numbers in single precision, the same array on every call. */
function singlesOf(numbers: Float32Array | Float64Array): Float32Array {
  let singles = knownSingles.get(numbers);
  if (singles === undefined) knownSingles.set(numbers, (singles = Float32Array.from(numbers)));
  return singles;
}
const knownSingles = new WeakMap<Float32Array | Float64Array, Float32Array>();

/** A small triangle in the middle of a box. */
function speckIn(bounds: Float64Array) {
  const { size, center } = extent(bounds);
  const positions = Float64Array.from([...center, ...center, ...center]);
  positions[3] += 1e-3 * size[0];
  positions[7] += 1e-3 * size[1];
  return mesh(positions);
}
