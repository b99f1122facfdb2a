// Checks the arguments of the adapter against their types. The adapter imports the library by name, so that it throws
// the library's own NearfieldError. The library's rules (arguments.ts) are not exported, so the adapter has a few of
// its own.

import { type Body, type Mesh, NearfieldError, type Scene } from 'nearfield';
import type { BufferGeometry, Object3D } from 'three';
import { inWords, isObject, isOptions, meantName } from '../core/words.ts';

export { inWords, isOptions } from '../core/words.ts';

function refuse(what: string, rule: string, given: unknown): never {
  throw new NearfieldError('bad-option', `${what} must be ${rule}, not ${inWords(given)}`);
}

export function checkScene(given: Scene): void {
  const scene: unknown = given;
  if (!(isObject(scene) && typeof (scene as Scene).setPoses === 'function')) {
    refuse('scene', 'a scene, as scene() gives it', given);
  }
}

export function checkBody(given: Body): void {
  const body: unknown = given;
  if (!(isObject(body) && typeof (body as Body).readPositions === 'function')) {
    refuse('body', 'a body from scene.add', given);
  }
}

export function checkObject(given: Object3D, what = 'object'): void {
  if ((given as Partial<Object3D> | null | undefined)?.isObject3D !== true) {
    refuse(what, 'an Object3D of three.js', given);
  }
}

export function checkGeometry(given: BufferGeometry): void {
  if ((given as Partial<BufferGeometry> | null | undefined)?.isBufferGeometry !== true) {
    refuse('geometry', 'a BufferGeometry of three.js', given);
  }
}

export function checkMesh(given: Mesh): void {
  const mesh: unknown = given;
  const { positions, indices } = isObject(mesh) ? (mesh as Mesh) : ({} as Partial<Mesh>);
  if (!(ArrayBuffer.isView(positions) && ArrayBuffer.isView(indices))) {
    refuse('mesh', 'a mesh from mesh(positions, indices)', given);
  }
}

/** Refuses an argument that is not an options object, misspelt option names, and values that their rules refuse. */
export function checkOptions(given: object, rules: Readonly<Record<string, Rule>>, what = 'options'): void {
  if (!isOptions(given)) refuse(what, 'an object', given);
  for (const key in given) {
    if (given[key] === undefined || Object.hasOwn(rules, key)) continue;
    const meant = meantName(key, Object.keys(rules));
    if (meant === undefined) continue;
    throw new NearfieldError('bad-option', `${what} has no ${key}; perhaps ${meant} is meant`);
  }
  for (const key of Object.keys(rules)) if (given[key] !== undefined) rules[key](given[key], key);
}

export type Rule = (given: unknown, what: string) => void;

export const aString: Rule = (given, what) => {
  if (typeof given !== 'string') refuse(what, 'a string', given);
};
export const aGroup: Rule = (given, what) => {
  if (typeof given !== 'string' && typeof given !== 'number') refuse(what, 'a string or a number', given);
};
export const aFlag: Rule = (given, what) => {
  if (typeof given !== 'boolean') refuse(what, 'true or false', given);
};
/** Infinity means to the end. */
export const aCount: Rule = (given, what) => {
  const isCount = given === Infinity || (Number.isInteger(given) && (given as number) >= 0);
  if (!isCount) refuse(what, 'a whole number of at least 0', given);
};

/** Finite numbers: `count` of them, or any multiple of three. */
export const numbers =
  (count?: number): Rule =>
  (given, what) => {
    const length = isObject(given) ? (given as ArrayLike<unknown>).length : undefined;
    const fits =
      count === undefined ? Number.isInteger(length) && (length as number) % 3 === 0 : length === count;
    if (!fits) refuse(what, count === undefined ? 'x, y, z triples' : `${count} numbers`, given);
    const list = given as ArrayLike<unknown>;
    for (let i = 0; i < list.length; i++) {
      if (!Number.isFinite(list[i])) refuse(`${what}[${i}]`, 'a finite number', list[i]);
    }
  };

export function checkPositions(given: unknown, length: number): void {
  const isPositions = given instanceof Float32Array || given instanceof Float64Array;
  if (isPositions && given.length === length) return;
  const words = isPositions ? `one of ${given.length}` : inWords(given);
  const rule = `a Float32Array or a Float64Array of ${length} numbers`;
  throw new NearfieldError('bad-array', `positions must be ${rule}, not ${words}`);
}

/** Something iterable that is not a string. */
export function checkIterable(given: unknown, what: string): void {
  if (!(isObject(given) && Symbol.iterator in given)) refuse(what, 'a list', given);
}
