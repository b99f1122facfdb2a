// three-mesh-bvh on the CPU. All pairs: surface area heuristic and leaves of two, its fastest setting for pairs.
// Build, refit and yes or no: its default, splits in the centre and leaves of ten. It has no self-collision mode: the
// tree is cast against itself, and pairs that repeat or share a vertex are dropped. Boxes: its base class over plain
// boxes, refitted every frame, cast against itself.

import { Box3, BufferAttribute, BufferGeometry, DoubleSide, Matrix4, Ray, Sphere, Vector3 } from 'three';
import {
  BVH,
  CENTER,
  CONTAINED,
  type ExtendedTriangle,
  INTERSECTED,
  MeshBVH,
  NOT_INTERSECTED,
  SAH,
} from 'three-mesh-bvh';
import {
  boxesOf,
  type Case,
  type Frame,
  isAboutAssembly,
  type Question,
  raysOf,
  spheresOf,
} from '../../case.ts';
import { worldBoxes } from '../boxes.ts';
import { distancePairs, type Engine, onePair, type Session } from '../engine.ts';
import { crowdOfTrees, originalOrder } from './crowd.ts';

const defaults = { strategy: CENTER, targetLeafSize: 10 };
const forPairs = { strategy: SAH, targetLeafSize: 2 };
const forDistances = { strategy: SAH, targetLeafSize: 10 };

const settings: Readonly<Record<Question, string>> = {
  pairs: 'SAH, leaves of 2, bvhcast',
  any: 'CENTER, leaves of 10, intersectsGeometry',
  bodies: 'BVH over boxes, CENTER, leaves of 1, refit, bvhcast on itself',
  boxes: 'BVH over boxes, CENTER, leaves of 1, refit, bvhcast on itself',
  self: 'SAH, leaves of 2, refit, bvhcast on itself, neighbours dropped',
  motion: '',
  build: 'CENTER, leaves of 10',
  refit: 'CENTER, leaves of 10',
  distance: 'SAH, leaves of 10, closestPointToGeometry',
  clearance: '',
  closest: 'SAH, leaves of 10, closestPointToPoint',
  nearest: '',
  rays: 'SAH, leaves of 10, raycastFirst',
  hits: 'SAH, leaves of 10, raycast',
  inBox: 'SAH, leaves of 2, shapecast with boxes within taken whole',
  inSphere: 'SAH, leaves of 10, shapecast',
  volume: '',
  separation: '',
  penetration: '',
  scene: 'SAH, leaves of 2, a tree per new body, refit of deforming bodies, boxes swept, bvhcast',
  map: '',
  field: '',
  relation: '',
  relations: '',
  points: '',
  check: '',
  contacts: '',
  overlap: '',
};

export const threeMeshBvh: Engine = {
  name: 'three-mesh-bvh',
  version: '0.9.17',
  setting: question => settings[question],
  cannot({ question }) {
    if (question === 'volume') return 'has no common volumes';
    if (question === 'nearest') return 'finds the point too: see the question about that';
    if (question === 'map') return 'has no distance maps';
    if (question === 'field') return 'has no distance fields';
    if (question === 'contacts') return 'has no contacts';
    if (question === 'overlap') return 'has no common volumes';
    if (question === 'motion') return 'looks at single moments only';
    if (isAboutAssembly(question)) return 'tells whether surfaces meet, not the relation of solids';
    if (question === 'relation') return 'tells whether surfaces meet, not the relation of solids';
    if (question === 'separation' || question === 'penetration') return 'has no penetration depths';
    return question === 'clearance' ? 'has no distances over many bodies' : undefined;
  },
  load(job) {
    switch (job.question) {
      case 'pairs':
        return pairsSession(job);
      case 'any':
        return anySession(job);
      case 'bodies':
      case 'boxes':
        return bodiesSession(job);
      case 'self':
        return selfSession(job);
      case 'build':
      case 'refit':
        return treeSession(job);
      case 'distance':
        return distanceSession(job);
      case 'closest':
        return closestSession(job);
      case 'rays':
      case 'hits':
        return raySession(job);
      case 'inBox':
        return boxSession(job);
      case 'inSphere':
        return sphereSession(job);
      case 'scene':
        return crowdOfTrees(job, forPairs);
      case 'nearest':
      case 'clearance':
      case 'volume':
      case 'separation':
      case 'penetration':
      case 'map':
      case 'field':
      case 'relation':
      case 'contacts':
      case 'overlap':
      case 'motion':
      case 'relations':
      case 'points':
      case 'check':
        throw new Error('three-mesh-bvh cannot answer this question');
    }
  },
};

function geometryOf(job: Case, body: number) {
  const geometry = new BufferGeometry();
  const { positions, indices } = job.bodies[body].mesh;
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
  return geometry;
}

/** Trees of the bodies; bodies of one mesh share one. */
function treesOf(job: Case, options: object): MeshBVH[] {
  const made = new Map<object, MeshBVH>();
  return job.bodies.map(({ mesh }, i) => {
    let tree = made.get(mesh);
    if (!tree) made.set(mesh, (tree = new MeshBVH(geometryOf(job, i), options)));
    return tree;
  });
}

/** From the second body's frame to the first's. */
function relative(job: Case, { poses }: Frame) {
  const [a, b] = poses ?? job.bodies.map(({ pose }) => pose);
  return new Matrix4().fromArray(a).invert().multiply(new Matrix4().fromArray(b));
}

function pairsSession(job: Case): Session {
  const [a, b] = treesOf(job, forPairs);
  const found: number[] = [];
  const callbacks = {
    intersectsTriangles(t: ExtendedTriangle, u: ExtendedTriangle, i: number, j: number) {
      if (t.intersectsTriangle(u)) found.push(i, j);
      return false;
    },
  };
  return {
    ask(frame) {
      found.length = 0;
      a.bvhcast(b, relative(job, frame), callbacks);
      return found;
    },
    pairs: () => inOriginalOrder(job, [a, b], found),
    close() {},
  };
}

function anySession(job: Case): Session {
  const [a, b] = treesOf(job, defaults);
  Object.assign(b.geometry, { boundsTree: b });
  return {
    ask: frame => a.intersectsGeometry(b.geometry, relative(job, frame)),
    pairs: answer => onePair(answer === true),
    close() {},
  };
}

function distanceSession(job: Case): Session {
  const [a, b] = treesOf(job, forDistances);
  Object.assign(b.geometry, { boundsTree: b });
  return {
    ask: frame => a.closestPointToGeometry(b.geometry, relative(job, frame))?.distance,
    pairs: answer => distancePairs([answer as number]),
    close() {},
  };
}

function closestSession(job: Case): Session {
  const [tree] = treesOf({ ...job, bodies: job.bodies.slice(0, 1) }, forDistances);
  const { positions } = job.bodies[1].mesh;
  const distances = new Float64Array(positions.length / 3);
  const point = new Vector3();
  const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
  return {
    ask() {
      for (let i = 0; i < distances.length; i++) {
        point.set(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
        distances[i] = tree.closestPointToPoint(point, target)?.distance ?? Infinity;
      }
      return distances;
    },
    pairs: answer => distancePairs(answer as Float64Array),
    close() {},
  };
}

/** First or all hits, as pairs of ray and triangle. */
function raySession(job: Case): Session {
  const [tree] = treesOf({ ...job, bodies: job.bodies.slice(0, 1) }, forDistances);
  const rays = raysOf(job);
  const ray = new Ray();
  const all = job.question === 'hits';
  return {
    ask() {
      const found: number[] = [];
      for (let i = 0; i < rays.length / 6; i++) {
        ray.origin.fromArray(rays, 6 * i);
        ray.direction.fromArray(rays, 6 * i + 3).normalize();
        const first = all ? undefined : tree.raycastFirst(ray, DoubleSide);
        if (first) found.push(i, first.faceIndex!);
        if (all) for (const hit of tree.raycast(ray, DoubleSide)) found.push(i, hit.faceIndex!);
      }
      return found;
    },
    pairs: answer => ofFirstBody(job, tree, answer as number[]),
    close() {},
  };
}

/** Pairs of a number and a triangle, with the triangles numbered as in the mesh. */
function ofFirstBody(job: Case, tree: MeshBVH, found: readonly number[]): Uint32Array {
  const order = originalOrder(job.bodies[0].mesh, tree);
  return Uint32Array.from(found, (number, i) => (i % 2 === 0 ? number : order[number]));
}

function boxSession(job: Case): Session {
  const boxes = boxesOf(job);
  const box = new Box3();
  return regionSession(job, boxes.length / 6, forPairs, i => {
    box.min.fromArray(boxes, 6 * i);
    box.max.fromArray(boxes, 6 * i + 3);
    return {
      bounds: other => {
        if (!box.intersectsBox(other)) return NOT_INTERSECTED;
        return box.containsBox(other) ? CONTAINED : INTERSECTED;
      },
      triangle: triangle => triangle.intersectsBox(box),
    };
  });
}

function sphereSession(job: Case): Session {
  const spheres = spheresOf(job);
  const sphere = new Sphere();
  const point = new Vector3();
  return regionSession(job, spheres.length / 4, forDistances, i => {
    sphere.center.fromArray(spheres, 4 * i);
    sphere.radius = spheres[4 * i + 3];
    const square = sphere.radius ** 2;
    return {
      bounds: other => (sphere.intersectsBox(other) ? INTERSECTED : NOT_INTERSECTED),
      triangle: triangle =>
        triangle.closestPointToPoint(sphere.center, point).distanceToSquared(sphere.center) <= square,
    };
  });
}

function regionSession(
  job: Case,
  count: number,
  settings: object,
  region: (i: number) => {
    bounds: (box: Box3) => number;
    triangle: (triangle: ExtendedTriangle) => boolean;
  },
): Session {
  const [tree] = treesOf({ ...job, bodies: job.bodies.slice(0, 1) }, settings);
  return {
    ask() {
      const found: number[] = [];
      for (let i = 0; i < count; i++) {
        const { bounds, triangle: meets } = region(i);
        tree.shapecast({
          intersectsBounds: bounds,
          intersectsTriangle: (triangle, index, contained) => {
            if (contained || meets(triangle)) found.push(i, index);
            return false;
          },
        });
      }
      return found;
    },
    pairs: answer => ofFirstBody(job, tree, answer as number[]),
    close() {},
  };
}

function selfSession(job: Case): Session {
  const [tree] = treesOf(job, forPairs);
  const { geometry } = tree;
  const index = geometry.index!.array;
  const still = new Matrix4();
  const found: number[] = [];
  const callbacks = {
    intersectsTriangles(t: ExtendedTriangle, u: ExtendedTriangle, i: number, j: number) {
      if (i >= j || shareVertex(index, i, j)) return false;
      if (t.intersectsTriangle(u)) found.push(i, j);
      return false;
    },
  };
  return {
    ask(frame) {
      deform(tree, frame);
      found.length = 0;
      tree.bvhcast(tree, still, callbacks);
      return found;
    },
    pairs: () => lowerFirst(inOriginalOrder(job, [tree, tree], found)),
    close() {},
  };
}

function treeSession(job: Case): Session {
  const [tree] = treesOf(job, defaults);
  return { ask: frame => deform(tree, frame), pairs: () => new Uint32Array(), close() {} };
}

function deform(tree: MeshBVH, { positions }: Frame): void {
  if (!positions) return;
  (tree.geometry.attributes.position.array as Float32Array).set(positions);
  tree.refit();
}

function shareVertex(index: ArrayLike<number>, i: number, j: number): boolean {
  for (let p = 3 * i; p < 3 * i + 3; p++)
    for (let q = 3 * j; q < 3 * j + 3; q++) if (index[p] === index[q]) return true;
  return false;
}

function inOriginalOrder(job: Case, trees: readonly MeshBVH[], found: readonly number[]): Uint32Array {
  const orders = trees.map((tree, body) => {
    return originalOrder(job.bodies[Math.min(body, job.bodies.length - 1)].mesh, tree);
  });
  return Uint32Array.from(found, (triangle, i) => orders[i % 2][triangle]);
}

function lowerFirst(pairs: Uint32Array): Uint32Array {
  for (let i = 0; i < pairs.length; i += 2) {
    if (pairs[i] > pairs[i + 1]) [pairs[i], pairs[i + 1]] = [pairs[i + 1], pairs[i]];
  }
  return pairs;
}

/** A tree over boxes that are overwritten every frame. */
class BoxTree extends BVH {
  declare primitiveBuffer: Uint32Array;
  declare primitiveBufferStride: number;
  readonly boxes: Float64Array;
  constructor(boxes: Float64Array) {
    super();
    this.boxes = boxes;
    this.primitiveBuffer = Uint32Array.from({ length: boxes.length / 6 }, (_, i) => i);
    this.primitiveBufferStride = 1;
    (this as unknown as { init(options: object): void }).init({ strategy: CENTER, targetLeafSize: 1 });
  }
  getRootRanges(): object[] {
    return [{ offset: 0, count: this.primitiveBuffer.length }];
  }
  writePrimitiveBounds(i: number, target: Float32Array, at: number): void {
    const from = 6 * this.primitiveBuffer[i];
    for (let k = 0; k < 6; k++) target[at + k] = this.boxes[from + k];
  }
}

function bodiesSession(job: Case): Session {
  const boxes = new Float64Array(6 * job.bodies.length);
  worldBoxes(job, job.frames[0], boxes);
  const tree = new BoxTree(boxes);
  const plain = job.question === 'boxes' || job.boxes === 'axis-aligned';
  const trees = plain ? undefined : treesOf(job, defaults);
  for (const made of trees ?? []) Object.assign(made.geometry, { boundsTree: made });
  const still = new Matrix4();
  const found: number[] = [];
  let frameNow: Frame = {};
  const meet = (i: number, j: number): boolean => {
    for (let k = 0; k < 3; k++) {
      if (boxes[6 * i + k] > boxes[6 * j + 3 + k] || boxes[6 * j + k] > boxes[6 * i + 3 + k]) return false;
    }
    if (!trees) return true;
    const [a, b] = [frameNow.poses![i], frameNow.poses![j]];
    const matrix = new Matrix4().fromArray(a).invert().multiply(new Matrix4().fromArray(b));
    return trees[i].intersectsGeometry(trees[j].geometry, matrix);
  };
  const callbacks = {
    intersectsRanges(offset: number, count: number, otherOffset: number, otherCount: number) {
      for (let p = offset; p < offset + count; p++) {
        for (let q = otherOffset; q < otherOffset + otherCount; q++) {
          const [i, j] = [tree.primitiveBuffer[p], tree.primitiveBuffer[q]];
          if (i < j && meet(i, j)) found.push(i, j);
        }
      }
      return false;
    },
  };
  return {
    ask(frame) {
      frameNow = frame.poses ? frame : { poses: job.bodies.map(({ pose }) => pose) };
      worldBoxes(job, frame, boxes);
      tree.refit();
      found.length = 0;
      tree.bvhcast(tree as unknown as MeshBVH, still, callbacks);
      return found;
    },
    pairs: () => Uint32Array.from(found),
    close() {},
  };
}
