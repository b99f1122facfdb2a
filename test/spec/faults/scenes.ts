// Scenes that change, and every question about them, for tests that inject faults (faults.ts). If a change of a scene
// fails, the scene must be as it was before.

import {
  type Body,
  type CpuScene,
  exact,
  exactOf,
  type FirstContactOptions,
  type IntersectionVolume,
  type Limits,
  type Mesh,
  type Motion,
  mesh,
  narrow,
  narrowSync,
  type Scene,
  shapes,
} from 'nearfield';
import { bufferOf } from '../../../packages/nearfield/src/gpu/testing/test-buffers.ts';
import { type Random, whole } from '../../oracle/triangles/generators.ts';

/** The expected state of a body. */
interface Wanted {
  readonly mesh: Mesh;
  readonly pose: readonly number[];
  readonly positions: Float64Array | undefined;
  /** Whether these are only on the GPU. */
  readonly isOnGpu?: boolean;
}

const meshes: readonly Mesh[] = [
  shapes.box({ size: [1, 1, 1] }),
  shapes.icosphere({ radius: 0.75, frequency: 1 }),
  shapes.icosphere({ radius: 1, frequency: 2 }),
  shapes.box({ size: [2, 0.5, 0.25] }),
];
/** Open: four triangles around a point. */
const sheet = mesh(
  Float64Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, 0, 0.25),
  Uint32Array.of(0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4),
);

/** Rotated by quarter turns, sometimes stretched, and moved by eighths. */
function randomPose(random: Random, reach: number): number[] {
  const turn = whole(random, 0, 3);
  const [cos, sin] = [[1, 0, -1, 0][turn], [0, 1, 0, -1][turn]];
  const stretch = random() < 0.25 ? 2 : 1;
  const at = () => whole(random, -8 * reach, 8 * reach) / 8;
  return [cos * stretch, sin, 0, 0, -sin * stretch, cos, 0, 0, 0, 0, 1, 0, at(), at(), at(), 1];
}

/** A scene, and what it should be. */
export class FaultScene<S extends Scene = Scene> {
  readonly scene: S;
  readonly #device: GPUDevice | undefined;
  #wanted: Wanted[] = [];
  /** Whether the device may have refused a copy from a GPUBuffer: then questions may be refused until `giveAgain`. */
  isDoubtful = false;

  /** With a device, bodies also deform from its buffers. */
  constructor(scene: S, device?: GPUDevice) {
    this.scene = scene;
    this.#device = device;
  }

  get bodies(): readonly Body[] {
    return this.scene.bodies;
  }

  /**
   * Adds, removes, moves or deforms a body, or replaces one by another. Throws if that fails, and then nothing has
   * changed.
   */
  change(random: Random, mayBeOpen: boolean, most: number): void {
    const count = this.#wanted.length;
    const kind = count < 2 ? 0 : count >= most ? 1 + whole(random, 0, 4) : whole(random, 0, 5);
    const row = whole(random, 0, Math.max(0, count - 1));
    if (kind === 0) this.#add(random, mayBeOpen, count);
    else if (kind === 1 && count > 2) this.#remove(row);
    else if (kind === 2) this.#move(row, randomPose(random, 1));
    else if (kind === 3) this.#moveAll(this.#wanted.map(() => randomPose(random, 1)));
    else if (kind === 4) this.#deform(row, random);
    else {
      // The next body may get the same row.
      this.#remove(row);
      this.#add(random, mayBeOpen, count);
    }
  }

  /** Removes or adds bodies until there are this many. */
  resize(random: Random, mayBeOpen: boolean, count: number): void {
    while (this.#wanted.length > count) this.#remove(whole(random, 0, this.#wanted.length - 1));
    while (this.#wanted.length < count) this.#add(random, mayBeOpen, this.#wanted.length);
  }

  /** Gives another, empty scene the expected state of this one. */
  remake(scene: Scene): void {
    for (const { mesh, pose, positions } of this.#wanted) {
      const body = scene.add(mesh, { pose });
      if (positions !== undefined) body.deform(positions);
    }
  }

  #add(random: Random, mayBeOpen: boolean, count: number): void {
    const own = mayBeOpen && random() < 0.25 ? sheet : meshes[whole(random, 0, meshes.length - 1)];
    const pose = randomPose(random, count > 8 ? 4 : 1);
    this.scene.add(own, { pose });
    this.#wanted.push({ mesh: own, pose, positions: undefined });
  }

  #remove(row: number): void {
    this.scene.remove(this.bodies[row]);
    this.#wanted.splice(row, 1);
  }

  #move(row: number, pose: number[]): void {
    this.bodies[row].pose = pose;
    this.#wanted[row] = { ...this.#wanted[row], pose };
  }

  #moveAll(poses: number[][]): void {
    this.scene.setPoses(poses.flat());
    this.#wanted = this.#wanted.map((wanted, i) => ({ ...wanted, pose: poses[i] }));
  }

  #deform(row: number, random: Random): void {
    const { positions } = this.#wanted[row].mesh;
    const by = [0.5, 0.75, 1.5, 2][whole(random, 0, 3)];
    const deformed = Float64Array.from(positions, (c, i) => Math.fround(i % 3 === 0 ? by * c : c));
    const rebuild = random() < 0.5;
    const isOnGpu = this.#device !== undefined && random() < 0.5;
    this.bodies[row].deform(isOnGpu ? bufferOf(this.#device!, deformed) : deformed, { rebuild });
    this.#wanted[row] = { ...this.#wanted[row], positions: deformed, isOnGpu };
  }

  /** Gives everything from GPUBuffers again. */
  giveAgain(): void {
    this.isDoubtful = false;
    this.#wanted.forEach(({ positions, isOnGpu }, row) => {
      if (isOnGpu) this.bodies[row].deform(bufferOf(this.#device!, positions!));
    });
    this.scene.setPoses(this.#wanted.flatMap(({ pose }) => pose));
  }

  /** Gives all bodies poses that are only on the GPU. */
  holdPoses(random: Random): void {
    const poses = this.#wanted.map(() => randomPose(random, 1));
    this.scene.setPoses(bufferOf(this.#device!, poses.flat()));
    this.#wanted = this.#wanted.map((wanted, i) => ({ ...wanted, pose: poses[i] }));
  }
}

export interface FaultQuestion<S extends Scene = Scene> {
  readonly name: string;
  /** Whether it is about solids. */
  readonly solids?: boolean;
  ask(scene: S, limits: Limits): unknown;
}

/** Boxes of several sizes, balls around points, and rays: as many as a GPU is asked about. */
const someBoxes = Float64Array.from(
  { length: 6 * 64 },
  (_, i) => (((i * 5) % 7) - 3.5) / 4 + (i % 6 > 2 ? 2 : 0),
);
const someSpheres = Float64Array.from({ length: 4 * 64 }, (_, i) =>
  i % 4 === 3 ? (i % 5) / 4 : (((i * 5) % 13) - 6.5) / 4,
);
const someRays = Float64Array.from({ length: 6 * 64 }, (_, i) => (((i * 5) % 13) - 6.5) / 4);
const points = Float64Array.from({ length: 60 }, (_, i) => (((i * 7) % 17) - 8) / 4);
const grid = { resolution: 5 };
const map = { resolution: 6, direction: [0, 0, -1] } as const;

const two = (scene: Scene): [Body, Body] => [scene.bodies[0], scene.bodies[1]];
const question = <S extends Scene = Scene>(
  name: string,
  ask: FaultQuestion<S>['ask'],
  solids = false,
): FaultQuestion<S> => ({ name, ask, solids });

/** The content of fields and volumes, except for the nearest triangle if several are equally near. */
function measured(answer: { distance?: Float32Array; grid: object } & Partial<IntersectionVolume>): object {
  const { distance, grid, count, volume, points, depths } = answer;
  return { distance, grid, count, volume, points, depth: depths?.depth };
}

async function collect<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

/** The first body passes through where the others are: by a translation, or by three quarters of a turn. */
const motions: readonly (readonly [string, (scene: Scene) => Motion])[] = [
  ['translated', scene => ({ bodies: [{ body: scene.bodies[0], to: moved(scene.bodies[0].pose) }] })],
  ['turned', scene => ({ bodies: [{ body: scene.bodies[0], to: turned(scene.bodies[0].pose) }] })],
  [
    'along a screw, others translated',
    scene => ({
      bodies: scene.bodies.map((body, i) =>
        i === 0 ? { body, to: turned(body.pose), path: 'screw' } : { body, to: moved(body.pose) },
      ),
    }),
  ],
];

/** Few pairs, so that scenes of many bodies take no longer than others. */
const ofFew = ({ bodies }: Scene) => ({
  keep: (a: Body, b: Body): boolean => bodies.indexOf(a) + bodies.indexOf(b) < 4,
});

const moved = (pose: ArrayLike<number>): number[] =>
  Array.from(pose, (x, i) => (i < 12 || i === 15 ? x : -1.5 * x + (i - 13) / 8));

/** Rotated by a quarter about z, about the world's origin. */
const turned = (pose: ArrayLike<number>): number[] =>
  Array.from(pose, (x, i) => (i % 4 === 0 ? -pose[i + 1] : i % 4 === 1 ? pose[i - 1] : x));

const flattened = (scene: Scene): Motion => ({
  bodies: scene.bodies.map(body => ({
    body,
    positions: Float64Array.from(body.mesh.positions, (x, i) => (i % 3 === 2 ? -0.75 * x : 1.25 * x)),
  })),
});

const deformations: readonly (readonly [string, (scene: Scene) => Motion, FirstContactOptions])[] = [
  ['deformed', flattened, {}],
  ['deformed, all triangles', flattened, { which: 'triangles', self: true }],
];

/** Asked on every backend. */
export const questions: readonly FaultQuestion[] = [
  question('interferences', (scene, limits) => scene.interferences(limits)),
  ...(['list', 'count', 'any'] as const).flatMap(detail =>
    (['walk', 'breadth-first', 'brute-force'] as const).map(traversal =>
      question(`interferences, ${detail}, ${traversal}`, (scene, limits) =>
        scene.interferences({ ...limits, detail, traversal }),
      ),
    ),
  ),
  question('interferences, filtered', (scene, limits) =>
    scene.interferences({
      ...limits,
      keep: (a, b) => (a.mesh.triangleCount + b.mesh.triangleCount) % 5 !== 0,
    }),
  ),
  question('relations', async (scene, limits) =>
    (await scene.interferences({ detail: 'any' })).relations(limits),
  ),
  question('interferences, relation', (scene, limits) =>
    scene.interferences({ ...limits, detail: 'relation' }),
  ),
  question('broad, narrow, exact', async (scene, limits) => exact(await narrow(scene.candidates(), limits))),
  question('narrow, exact', async (scene, limits) => exact(await narrow(scene, limits))),
  question('exactOf', async (scene, limits) => {
    const candidates = scene.candidates();
    const { certain, unsure, backend } = await narrow(candidates);
    return exactOf(candidates, { certain, unsure, backend }, limits);
  }),
  question('selfIntersections', (scene, limits) => scene.selfIntersections(scene.bodies[0], limits)),
  question('curves', (scene, limits) => scene.curves(...two(scene), limits)),
  question('inside', scene => scene.inside(scene.bodies[0], points), true),
  ...(['list', 'count', 'any'] as const).flatMap(detail => [
    question(`inBox, ${detail}`, (scene, limits) =>
      scene.inBox(scene.bodies, someBoxes, { ...limits, detail }),
    ),
    question(`inSphere, ${detail}`, (scene, limits) =>
      scene.inSphere(scene.bodies, someSpheres, { ...limits, detail }),
    ),
  ]),
  question('distance', (scene, limits) => scene.distance(...two(scene), limits)),
  question('distance, surface', (scene, limits) =>
    scene.distance(...two(scene), { ...limits, surface: true }),
  ),
  question('within', (scene, limits) => scene.within(0.5, limits)),
  question('closest', (scene, limits) => scene.closest(scene.bodies[0], points, limits)),
  question('rays', (scene, limits) => scene.rays(scene.bodies, someRays, { ...limits, hits: 'all' })),
  question('contacts', (scene, limits) => scene.contacts(...two(scene), limits)),
  question('overlap', (scene, limits) => scene.overlap(...two(scene), limits), true),
  question(
    'intersectionVolume',
    async (scene, limits) =>
      measured(await scene.intersectionVolume(two(scene), { ...limits, ...grid, depths: true })),
    true,
  ),
  question('field', async (scene, limits) =>
    measured(await scene.field(scene.bodies[0], { ...limits, ...grid })),
  ),
  question('fieldSlabs', async (scene, limits) =>
    (await collect(await scene.fieldSlabs(scene.bodies[0], { ...limits, ...grid }))).map(measured),
  ),
  question('distanceMap', (scene, limits) => scene.distanceMap(...two(scene), { ...limits, ...map })),
  question('penetration', (scene, limits) => scene.penetration(...two(scene), limits), true),
  question('deeperThan', (scene, limits) => scene.deeperThan(...two(scene), 0.25, limits)),
  question('depths', async (scene, limits) =>
    scene.depths((await scene.interferences()).pairs.slice(0, 3), limits),
  ),
  ...motions.flatMap(([name, motionOf]) => [
    question(`firstContact, ${name}`, (scene, limits) =>
      scene.firstContact(motionOf(scene), { ...limits, ...ofFew(scene) }),
    ),
    question(`sweep, ${name}`, (scene, limits) =>
      scene.sweep(motionOf(scene), { ...limits, ...ofFew(scene) }),
    ),
    question(`nearestApproach, ${name}`, (scene, limits) =>
      scene.nearestApproach(motionOf(scene), { ...limits, ...ofFew(scene), samples: 2 }),
    ),
  ]),
  ...deformations.map(([name, motionOf, options]) =>
    question(`firstContact, ${name}`, (scene, limits) =>
      scene.firstContact(motionOf(scene), { ...limits, ...options }),
    ),
  ),
  // Answers that depend on whether a tree was refitted or rebuilt.
  question(
    'steps',
    async (scene, limits) => (await scene.steps(two(scene), { ...limits, method: 'hierarchy' })).method,
  ),
];

/** Asked on the CPU backend, without waiting. */
export const syncQuestions: readonly FaultQuestion<CpuScene>[] = [
  question('interferencesSync', scene => scene.interferencesSync()),
  ...(['list', 'count', 'any'] as const).flatMap(detail =>
    (['walk', 'breadth-first', 'brute-force'] as const).map(traversal =>
      question<CpuScene>(`interferencesSync, ${detail}, ${traversal}`, scene =>
        scene.interferencesSync({ detail, traversal }),
      ),
    ),
  ),
  ...(['boxes', '18-dops'] as const).map(volumes =>
    question<CpuScene>(`interferencesSync, breadth-first, ${volumes}, front`, scene =>
      [0, 1].map(() => scene.interferencesSync({ traversal: 'breadth-first', volumes, coherence: 'front' })),
    ),
  ),
  question('broad, narrowSync, exact', scene => exact(narrowSync(scene.candidates()))),
  question('candidates', scene => [...scene.candidates()]),
  question('selfIntersectionsSync', scene => scene.selfIntersectionsSync(scene.bodies[0])),
  question('curvesSync', scene => scene.curvesSync(...two(scene))),
  question('insideSync', scene => scene.insideSync(scene.bodies[0], points), true),
  question('inBoxSync', scene => scene.inBoxSync(scene.bodies, someBoxes)),
  question('inSphereSync', scene => scene.inSphereSync(scene.bodies, someSpheres)),
  question('distanceSync', scene => scene.distanceSync(...two(scene))),
  question('withinSync', scene => scene.withinSync(0.5)),
  question('closestSync', scene => scene.closestSync(scene.bodies[0], points)),
  question('raysSync', scene => scene.raysSync(scene.bodies, someRays)),
  question('contactsSync', scene => scene.contactsSync(...two(scene))),
  question('overlapSync', scene => scene.overlapSync(...two(scene)), true),
  question(
    'intersectionVolumeSync',
    scene => measured(scene.intersectionVolumeSync(two(scene), { ...grid, depths: true })),
    true,
  ),
  question('fieldSync', scene => measured(scene.fieldSync(scene.bodies[0], grid))),
  question('distanceMapSync', scene => scene.distanceMapSync(...two(scene), map)),
  question('penetrationSync', scene => scene.penetrationSync(...two(scene)), true),
  question('deeperThanSync', scene => scene.deeperThanSync(...two(scene), 0.25)),
  question('depthsSync', scene => scene.depthsSync(scene.interferencesSync().pairs.slice(0, 3))),
  ...motions.map(([name, motionOf]) =>
    question<CpuScene>(`firstContactSync, ${name}`, scene =>
      scene.firstContactSync(motionOf(scene), ofFew(scene)),
    ),
  ),
  ...deformations.map(([name, motionOf, options]) =>
    question<CpuScene>(`firstContactSync, ${name}`, scene =>
      scene.firstContactSync(motionOf(scene), options),
    ),
  ),
];
