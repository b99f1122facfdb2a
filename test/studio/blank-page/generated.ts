// Everything that is generated, in small sizes, as one hash per item. Node and a browser each compute the hashes; a
// difference names the item. It runs in both, so it uses nothing that exists only in Node.

import {
  createBoxes,
  createBreaking,
  createBunnies,
  createCylinders,
  createFoldingCloth,
  createHail,
  createHeart,
  createLeaves,
  createRings,
  createRotating,
  createTori,
  elementary,
  gearboxParts,
  hailParts,
  jawParts,
  jawStages,
  type Moving,
  type Sample,
} from '@nearfield/samples';
import { type Nearfield, open, shapes } from 'nearfield';
import { particleCases, particleOptions } from '../../../bench/src/particles/scene.ts';
import { movingBoxes } from '../../../bench/src/scenes/boxes.ts';
import { foldingSphere } from '../../../bench/src/scenes/deform.ts';
import { bumpySphere, overlapping } from '../../../bench/src/scenes/meshes/generated.ts';
import { thinned } from '../../../bench/src/scenes/meshes/thinned.ts';
import { figures, twoPolyhedra } from '../../../bench/src/scenes/papers/layers.ts';
import * as demonstrations from '../../../bench/src/scenes/papers/proximity.ts';
import { earlySizes, linkedTori, twoKnots } from '../../../bench/src/scenes/papers/raycast.ts';

const { arccosine, arctangent, cubeRoot, exponential, logarithm, unitAt } = elementary;

/** Hashes by the name of each item. */
export async function hashesOfGenerated(): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const [name, make] of Object.entries({ ...functions, ...solids, ...assemblies, ...benches })) {
    hashes[name] = hashOf(make());
  }
  const nf = await open({ backend: 'cpu' });
  for (const [name, [steps, create]] of Object.entries(samples)) {
    const sample = create(nf);
    const hash = new Hash();
    // Scenes that move by themselves are not asked anything on the way.
    for (let i = 0; i < steps; i++) {
      if ('advance' in sample) sample.advance();
      else hash.add(await sample.step());
    }
    hashes[name] = hash.add(sample.parts()).text;
    sample.close();
  }
  const hail = await createHail(nf, { particles: 200 });
  const impacts = [];
  for (let i = 0; i < 5; i++) impacts.push([...(await hail.step(0.2)).impacts]);
  hashes['hail'] = hashOf([impacts, hail.looks(0.7)]);
  hail.close();
  nf.close();
  return hashes;
}

const functions = {
  'elementary functions': () => {
    const random = shapes.createRandom(61);
    return Array.from({ length: 5000 }, () => {
      const [x, y] = [random.between(-1, 1) * 2 ** random.integer(12), random.between(-1, 1)];
      const values = [arctangent(x, y), arccosine(y), exponential(x), logarithm(x * x), cubeRoot(x)];
      return [...unitAt(x), ...unitAt(y * 2 ** 60), ...values];
    });
  },
  directions: () => {
    const random = shapes.createRandom(62);
    return Array.from({ length: 5000 }, () => random.direction());
  },
};

const solids = {
  box: shapes.box,
  cloth: () => shapes.cloth({ triangles: 2000 }),
  cylinder: shapes.cylinder,
  displacedSphere: () => shapes.displacedSphere({ triangles: 2000 }),
  extrude: () => shapes.extrude({ outline: shapes.circle({ segments: 31, phase: 0.1 }) }),
  gear: () => shapes.gear({ keyway: { width: 1, top: 5 }, webThickness: 2, phase: 0.1 }),
  hexBolt: shapes.hexBolt,
  hexNut: shapes.hexNut,
  icosphere: shapes.icosphere,
  plate: shapes.plate,
  torus: () => shapes.torus({ majorSegments: 61, minorSegments: 37 }),
  torusKnot: () => shapes.torusKnot({ p: 3, q: 5 }),
  tube: shapes.tube,
  uvSphere: () => shapes.uvSphere({ segments: 73, rings: 41 }),
};

const assemblies = {
  gearbox: gearboxParts,
  jaws: () => {
    const { upper, lower, poseAt } = jawParts({ teeth: 'five', triangles: 6000 });
    return [upper.mesh, lower.mesh, jawStages.map(poseAt)];
  },
  'things under hail': () => hailParts().map(({ collider, look }) => [collider, look]),
};

const benches = {
  'bench, boxes': () => movingBoxes('turned', 200),
  'bench, deform': () => foldingSphere(6),
  'bench, pair': () => overlapping(bumpySphere(2000), 0.9),
  'bench, cylinders': demonstrations.cylinders,
  'bench, tori': demonstrations.tori,
  'bench, heart': demonstrations.heart,
  'bench, rings': demonstrations.rings,
  'bench, polyhedra': () => twoPolyhedra(figures[0], 1000),
  'bench, knots': () => twoKnots(1250),
  'bench, linked tori': () => linkedTori(earlySizes[0], true),
  'bench, thinned': () => thinned(shapes.uvSphere({ segments: 24, rings: 12 }), 300),
  'bench, particles': () => particleOptions(particleCases[0]),
};

/** Long enough for bodies to meet, and for the dragon to break. */
const samples: Record<string, readonly [steps: number, create: (nf: Nearfield) => Sample | Moving]> = {
  boxes: [3, nf => createBoxes(nf, { count: 200 })],
  breaking: [30, nf => createBreaking(nf, { triangles: 1500, fallingTriangles: 500, pieces: 30 })],
  bunnies: [3, nf => createBunnies(nf, { triangles: 2000 })],
  cylinders: [3, nf => createCylinders(nf, { response: true, triangles: 800 })],
  'folding cloth': [20, nf => createFoldingCloth(nf, { triangles: 1000 })],
  heart: [3, nf => createHeart(nf, { response: true, triangles: 2000 })],
  leaves: [20, nf => createLeaves(nf, { leaves: 20 })],
  rings: [30, nf => createRings(nf, { count: 2, triangles: 800 })],
  rotating: [3, nf => createRotating(nf, { triangles: 2000 })],
  tori: [3, nf => createTori(nf, { response: true, triangles: 2000 })],
};

const hashOf = (value: unknown): string => new Hash().add(value).text;

/** Hashes the bits of all numbers in a value, at any depth: FNV-1a (Fowler, Noll and Vo), one word at a time. */
class Hash {
  #state = 0x811c9dc5;
  #count = 0;
  readonly #double = new Float64Array(1);
  readonly #words = new Uint32Array(this.#double.buffer);

  add(value: unknown): this {
    if (typeof value === 'number') {
      this.#double[0] = value;
      for (const word of this.#words) this.#state = Math.imul(this.#state ^ word, 0x01000193);
      // The high bits of a product never affect the low ones, so mix them in.
      this.#state ^= this.#state >>> 15;
      this.#count++;
    } else if (ArrayBuffer.isView(value) || Array.isArray(value)) {
      for (const entry of value as unknown as ArrayLike<unknown> & Iterable<unknown>) this.add(entry);
    } else if (typeof value === 'object' && value !== null) {
      for (const entry of Object.values(value)) this.add(entry);
    }
    return this;
  }

  get text(): string {
    return `${this.#count} numbers, ${(this.#state >>> 0).toString(16).padStart(8, '0')}`;
  }
}
