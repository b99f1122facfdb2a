// Compiles colliders: checks them, turns them into numbers, and finds boxes that hold them.

import { Body } from '../../bodies/body.ts';
import { readable } from '../../bodies/on-gpu/buffers.ts';
import {
  aFlag,
  anything,
  aString,
  bad,
  checkOptions,
  inWords,
  isObject,
  oneOf,
  quoted,
  type Rules,
} from '../../core/arguments.ts';
import { type Box, emptyBox, growBox } from '../../math/box.ts';
import { identity, toPose } from '../../math/pose.ts';
import { cross } from '../../math/vector.ts';
import { Mesh } from '../../mesh/mesh.ts';
import { atLeastZero, finiteNumber, finiteVector, positive, unitVector, wholeNumber } from '../check.ts';
import type {
  ColliderTree,
  CompiledCollider,
  CompiledMotion,
  CompiledPlane,
  CompiledResponse,
} from '../compiled.ts';
import { compileMotion } from '../motion/rigid.ts';
import { frameOf } from '../motion/start/regions.ts';
import { blobsBox, compileBlobs } from './blobs.ts';
import { clipByBounds, quadricBox } from './extent.ts';
import { compileField, fieldBox } from './field.ts';
import { compileMesh } from './mesh.ts';
import { buildTree } from './paths/cull.ts';
import type {
  Bordered,
  Collider,
  ColliderCommon,
  Outline,
  PlaneCollider,
  Response,
  Vector,
} from './shapes.ts';
import { compileBounds, compileOutline } from './surfaces/outline.ts';
import { compileQuadric, sphereOf } from './surfaces/quadric.ts';

const mostColliders = 65_535;

type Shape = Pick<
  CompiledCollider,
  'kind' | 'box' | 'plane' | 'quadric' | 'mesh' | 'field' | 'blobs' | 'bounds'
>;
const nothing = { plane: undefined, quadric: undefined, mesh: undefined, field: undefined, blobs: undefined };

/** Responses without a rest speed get 0 here; `withRestSpeed` fills them in. */
export function compileColliders(given: readonly Collider[], response: Response): CompiledCollider[] {
  if (!Array.isArray(given)) throw bad(`colliders must be an array, not ${inWords(given)}`);
  if (given.length > mostColliders)
    throw bad(`there are ${given.length} colliders, more than ${mostColliders}`);
  const usual = compileResponse(response, 'response');
  const compiled = given.map((collider: Collider, index): CompiledCollider => {
    if (typeof collider !== 'object' || collider === null)
      throw bad(`collider ${index} must be an object, not ${inWords(collider)}`);
    const { name = `collider ${index}` } = collider;
    aString(name, `collider ${index}: name`);
    const shape = compileShape(collider, name);
    const motion = compileMotion(collider.motion, name);
    const { sides = 'both' } = collider;
    const { sealed = false } = collider as Bordered;
    return {
      ...shape,
      index,
      name,
      given: collider,
      ownBox: shape.box,
      box: motion?.turns ? sweptBox(shape.box, motion) : shape.box,
      bounded: shape.box.every(Number.isFinite),
      motion,
      response: collider.response === undefined ? usual : compileResponse(collider.response, name),
      sides,
      sealed,
    };
  });
  return compiled;
}

/** The colliders with a rest speed for responses that have none. */
export const withRestSpeed = (
  colliders: readonly CompiledCollider[],
  restSpeed: number,
): CompiledCollider[] =>
  colliders.map(collider =>
    collider.response.bounces && collider.response.restSpeed === 0
      ? { ...collider, response: { ...collider.response, restSpeed } }
      : collider,
  );

function compileResponse(given: Response, what: string): CompiledResponse {
  if (given?.kind === 'vanish') return { bounces: false, restitution: 0, friction: 0, restSpeed: 0, most: 0 };
  if (given?.kind !== 'bounce')
    throw bad(
      `${what}: the kind of a response must be 'vanish' or 'bounce', not ${quoted((given as { kind?: unknown })?.kind)}`,
    );
  checkOptions(given, bounceRules, what, 'response');
  const { restitution = 0.5, friction = 0, restSpeed = 0, most = 10_000 } = given;
  return { bounces: true, restitution, friction, restSpeed, most };
}

const bounceRules: Rules<Extract<Response, { kind: 'bounce' }>> = {
  kind: anything,
  restitution(given, what) {
    const value = finiteNumber(given, what);
    if (!(value >= 0 && value <= 1)) throw bad(`${what} must be from 0 to 1, not ${value}`);
  },
  friction: atLeastZero,
  restSpeed: positive,
  most: (given, what) => wholeNumber(given, 0, 65_535, what),
};

/** For all colliders, whatever their kind. */
const commonRules: Rules<ColliderCommon & Bordered> = {
  name: aString,
  motion: anything,
  response: anything,
  sides: oneOf('both', 'front'),
  map: anything,
  data: anything,
  sealed: aFlag,
};
const ownRules = {
  within: anything,
  bounds: anything,
  box: anything,
  pose: anything,
  level: positive,
} as const;

/** The kinds of collider, and the options that each has besides the common ones. */
const own: Readonly<Record<string, readonly string[]>> = {
  plane: ['within', 'bounds', 'sealed'],
  sphere: ['bounds', 'box', 'sealed'],
  quadric: ['bounds', 'box', 'sealed'],
  body: [],
  mesh: ['pose'],
  field: ['pose'],
  blobs: ['level'],
};

/** Refuses options that would otherwise be ignored. */
function checkCollider(collider: object, name: string): void {
  const kinds = Object.keys(own).filter(kind => kind in collider);
  if (kinds.length > 1) throw bad(`${name} is both ${kinds.join(' and ')}: a collider must be one of them`);
  for (const option of ['within', 'bounds', 'box', 'sealed', 'pose', 'level']) {
    const given = (collider as Readonly<Record<string, unknown>>)[option];
    if (kinds.length === 0 || given === undefined || own[kinds[0]].includes(option)) continue;
    throw bad(`${name}: a ${kinds[0]} has no ${option}`);
  }
  const kindRules = Object.fromEntries(Object.keys(own).map(kind => [kind, anything]));
  checkOptions(collider, { ...commonRules, ...ownRules, ...kindRules } as Rules<object>, name, 'it');
}

function compileShape(collider: Collider, name: string): Shape {
  checkCollider(collider, name);
  if ('plane' in collider) {
    if (!isObject(collider.plane))
      throw bad(`${name}: plane needs a point and a normal, not ${inWords(collider.plane)}`);
    const plane = compilePlane(collider, name);
    const bounds = compileBounds(collider.bounds, undefined, name);
    return { ...nothing, kind: 'plane', plane, bounds, box: clipByBounds(planeBox(plane), bounds) };
  }
  if ('sphere' in collider) {
    const centre = finiteVector(collider.sphere?.centre, `${name}: centre`);
    const radius = positive(collider.sphere?.radius, `${name}: radius`);
    const bounds = compileBounds(collider.bounds, collider.box, name);
    const box = clipByBounds(ballBox(centre, radius), bounds);
    return { ...nothing, kind: 'quadric', quadric: sphereOf(centre, radius), bounds, box };
  }
  if ('quadric' in collider) {
    const quadric = compileQuadric(collider.quadric, name);
    const bounds = compileBounds(collider.bounds, collider.box, name);
    return { ...nothing, kind: 'quadric', quadric, bounds, box: quadricBox(quadric, bounds) };
  }
  const bounds = new Float64Array(0);
  if ('body' in collider) {
    if (!(collider.body instanceof Body))
      throw bad(`${name}: body is not a body of a scene: ${inWords(collider.body)}`);
    const seen = collider.body.snapshotNow();
    const form = readable(seen);
    const mesh = compileMesh(form.mesh, form.positions, seen.pose, { ...seen, ...form });
    return { ...nothing, kind: 'mesh', mesh, bounds, box: rootBox(mesh.tree.nodes) };
  }
  if ('mesh' in collider) {
    if (!(collider.mesh instanceof Mesh))
      throw bad(`${name}: mesh is not a result of mesh(positions, indices)`);
    const pose = toPose(collider.pose === undefined ? identity() : collider.pose, name);
    const given = collider.mesh;
    const placed = { shape: { mesh: given, positions: given.positions, revision: 0 }, pose, poseRevision: 0 };
    const mesh = compileMesh(given, given.positions, pose, placed);
    return { ...nothing, kind: 'mesh', mesh, bounds, box: rootBox(mesh.tree.nodes) };
  }
  if ('field' in collider) {
    const pose = toPose(collider.pose === undefined ? identity() : collider.pose, name);
    const field = compileField(collider.field, pose, name);
    return { ...nothing, kind: 'field', field, bounds, box: fieldBox(collider.field, pose) };
  }
  if ('blobs' in collider) {
    const blobs = compileBlobs(collider.blobs, collider.level, name);
    return { ...nothing, kind: 'blobs', blobs, bounds, box: blobsBox(blobs) };
  }
  throw bad(`${name} is none of plane, sphere, quadric, body, mesh, field and blobs`);
}

function compilePlane({ plane, within }: PlaneCollider, name: string): CompiledPlane {
  const point = finiteVector(plane?.point, `${name}: point`);
  const normal = unitVector(plane.normal, `${name}: normal`);
  let { right } = frameOf(normal);
  if (plane.right !== undefined) {
    const given = unitVector(plane.right, `${name}: right`);
    const along = given[0] * normal[0] + given[1] * normal[1] + given[2] * normal[2];
    if (Math.abs(along) > 1 - 2 ** -20) throw bad(`${name}: right runs along the normal`);
    const square = given.map((value, axis) => value - along * normal[axis]);
    right = along === 0 ? given : unitVector(square, `${name}: right`);
  }
  return { point, normal, right, up: cross(normal, right), outline: compileOutline(within as Outline, name) };
}

const unboundedBox = (): Box =>
  Float64Array.from([-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity]);

export const ballBox = (centre: Vector, radius: number): Box =>
  Float64Array.from([...centre.map(value => value - radius), ...centre.map(value => value + radius)]);

function planeBox({ point, right, up, normal, outline }: CompiledPlane): Box {
  const { kind, numbers: n } = outline;
  if (kind === 'all') return unboundedBox();
  const box = emptyBox();
  if (kind === 'disc' || kind === 'ring') {
    const radius = kind === 'disc' ? n[0] : n[1];
    const half = normal.map(value => radius * Math.sqrt(Math.max(0, 1 - value * value)) + radius * 2 ** -50);
    return Float64Array.from([
      ...point.map((value, i) => value - half[i]),
      ...point.map((value, i) => value + half[i]),
    ]);
  }
  const [a0, a1, b0, b1] = kind === 'rectangle' ? [-n[0], n[0], -n[1], n[1]] : n;
  for (const a of [a0, a1]) {
    for (const b of [b0, b1]) {
      growBox(
        box,
        point[0] + (right[0] * a + up[0] * b),
        point[1] + (right[1] * a + up[1] * b),
        point[2] + (right[2] * a + up[2] * b),
      );
    }
  }
  return box;
}

/** The box of the ball about the pivot that holds the box for any turn; six finite or infinite numbers. */
function sweptBox(box: Box, { pivot }: CompiledMotion): Box {
  if (!box.every(Number.isFinite)) return unboundedBox();
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const reach = Math.max(Math.abs(box[axis] - pivot[axis]), Math.abs(box[axis + 3] - pivot[axis]));
    squared += reach * reach;
  }
  return ballBox(pivot, Math.sqrt(squared) * (1 + 2 ** -40));
}

const rootBox = (nodes: Float64Array): Box => nodes.slice(6, 12);

/** Bounded colliders that stay in place go into a tree, the others into a list. */
export function treeOf(colliders: readonly CompiledCollider[]): ColliderTree {
  const inPlace = colliders.filter(({ bounded, motion }) => bounded && !motion?.translates);
  const boxes = new Float64Array(6 * inPlace.length);
  for (let i = 0; i < inPlace.length; i++) boxes.set(inPlace[i].box, 6 * i);
  const tree = buildTree(boxes);
  const items = tree.items.map(item => (item === 0xffffffff ? item : inPlace[item].index));
  const always = colliders
    .filter(({ bounded, motion }) => !bounded || motion?.translates)
    .map(({ index }) => index);
  return { tree: { ...tree, items }, always: Uint32Array.from(always) };
}
