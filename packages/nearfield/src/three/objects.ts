// Turns objects of three.js into bodies: a mesh of the scene graph is a body, and its world matrix is the pose.

import { type Body, type Mesh, mesh, NearfieldError, type Scene } from 'nearfield';
import { Matrix4, type Object3D, type Mesh as ThreeMesh, Vector3 } from 'three';
import { aFlag, aGroup, aString, checkObject, checkOptions, checkScene } from './arguments.ts';
import { meshFromGeometry } from './geometry.ts';
import { isInstanced, isPosedByVertex, poseOf, vertexPositions } from './placement.ts';
import { posedOf } from './posed.ts';

/** How objects become bodies. */
export interface FromObjectOptions {
  /** The name of the body; by default the object's own. */
  readonly name?: string;
  /** The group of the body (`BodyOptions.group`). */
  readonly group?: string | number;
  /** Leaves out invisible objects and everything below them; default false. */
  readonly visibleOnly?: boolean;
}

/**
 * Makes one body of all meshes at and below an object, in the object's frame. Its pose is the object's world matrix.
 * Throws 'bad-option' if there is no mesh, 'bad-pose' for a singular matrix, and what `meshFromGeometry` throws.
 */
export function bodyFromObject(scene: Scene, object: Object3D, options: FromObjectOptions = {}): Body {
  checkFrom(scene, object, 'object', options);
  object.updateWorldMatrix(true, true);
  const found = [...meshesOf(object, options)];
  if (found.length === 0) {
    throw new NearfieldError('bad-option', `bodyFromObject: ${wordsFor(object)} contains no mesh`);
  }
  const only = found.length === 1 && found[0] === object && !isInstanced(found[0]) ? found[0] : undefined;
  const whole = only ? shapeOf(only) : merge(object, found);
  const body = scene.add(whole, { ...bodyOptions(object, options), pose: object.matrixWorld.elements });
  posedOf(scene)?.add(body, object);
  return body;
}

/**
 * Makes one body per mesh at and below an object, and one per instance of an InstancedMesh. Objects that share a
 * geometry share a tree. Skinned and morphed meshes are taken in their current pose; `keepPosed` follows them.
 * Throws 'bad-pose' for a singular matrix, and what `meshFromGeometry` throws.
 */
export function bodiesFromObject(scene: Scene, root: Object3D, options: FromObjectOptions = {}): Body[] {
  checkFrom(scene, root, 'root', options);
  root.updateWorldMatrix(true, true);
  const shared = new Map<object, Mesh>();
  const posed = posedOf(scene);
  const bodies: Body[] = [];
  for (const object of meshesOf(root, options)) {
    let shape = isPosedByVertex(object) ? shapeOf(object) : shared.get(object.geometry);
    if (shape === undefined) {
      shape = shapeOf(object);
      shared.set(object.geometry, shape);
    }
    const named = bodyOptions(object, options);
    const count = isInstanced(object) ? object.count : 1;
    for (let i = 0; i < count; i++) {
      const instance = isInstanced(object) ? i : undefined;
      const name = instance === undefined ? named.name : `${named.name ?? 'instance'} ${i}`;
      const place = { ...named, ...(name === undefined ? {} : { name }), pose: poseOf(object, instance) };
      const body = scene.add(shape, place);
      posed?.add(body, object, instance);
      bodies.push(body);
    }
  }
  return bodies;
}

function checkFrom(scene: Scene, object: Object3D, what: string, options: FromObjectOptions): void {
  checkScene(scene);
  checkObject(object, what);
  checkOptions(options, { name: aString, group: aGroup, visibleOnly: aFlag });
}

function* meshesOf(object: Object3D, options: FromObjectOptions): Generator<ThreeMesh> {
  if (options.visibleOnly && !object.visible) return;
  if ((object as Partial<ThreeMesh>).isMesh) yield object as ThreeMesh;
  for (const child of object.children) yield* meshesOf(child, options);
}

function shapeOf(object: ThreeMesh): Mesh {
  const own = meshFromGeometry(object.geometry);
  return isPosedByVertex(object) ? mesh(vertexPositions(object), own.indices) : own;
}

const vector = new Vector3();

/** All meshes in the frame of `object`. */
function merge(object: Object3D, found: readonly ThreeMesh[]): Mesh {
  const back = new Matrix4().copy(object.matrixWorld).invert();
  const parts: { shape: Mesh; frame: Matrix4 }[] = [];
  for (const part of found) {
    const shape = shapeOf(part);
    const count = isInstanced(part) ? part.count : 1;
    for (let i = 0; i < count; i++) {
      const frame = new Matrix4().fromArray(Array.from(poseOf(part, isInstanced(part) ? i : undefined)));
      parts.push({
        shape,
        frame: part === object && !isInstanced(part) ? new Matrix4() : frame.premultiply(back),
      });
    }
  }
  const vertices = parts.reduce((sum, { shape }) => sum + shape.vertexCount, 0);
  const corners = parts.reduce((sum, { shape }) => sum + shape.indices.length, 0);
  const positions = new Float64Array(3 * vertices);
  const indices = new Uint32Array(corners);
  let [vertex, corner] = [0, 0];
  for (const { shape, frame } of parts) {
    // The frame of a mirrored part turns it inside out; reversing the order of its corners undoes that.
    const [second, third] = frame.determinant() < 0 ? [2, 1] : [1, 2];
    for (let i = 0; i < shape.indices.length; i += 3) {
      indices[corner++] = vertex + shape.indices[i];
      indices[corner++] = vertex + shape.indices[i + second];
      indices[corner++] = vertex + shape.indices[i + third];
    }
    for (let i = 0; i < shape.vertexCount; i++) {
      vector
        .fromArray(shape.positions, 3 * i)
        .applyMatrix4(frame)
        .toArray(positions, 3 * (vertex + i));
    }
    vertex += shape.vertexCount;
  }
  return mesh(positions, indices);
}

function bodyOptions(
  object: Object3D,
  { name, group }: FromObjectOptions,
): { name?: string; group?: string | number } {
  const called = name ?? nameOf(object);
  return { ...(called ? { name: called } : {}), ...(group === undefined ? {} : { group }) };
}

/** The object's name, or that of the nearest ancestor that has one. */
function nameOf(object: Object3D): string | undefined {
  for (let at: Object3D | null = object; at; at = at.parent) if (at.name) return at.name;
  return undefined;
}

function wordsFor(object: Object3D): string {
  return object.name ? `"${object.name}"` : `this ${object.type}`;
}
