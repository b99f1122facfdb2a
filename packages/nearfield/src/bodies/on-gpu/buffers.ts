// What bodies need to know of an application's GPUBuffers. The classes that read them back (gpu-positions.ts,
// gpu-poses.ts) are loaded with the GPU engine, so that a page without one does not download them.

import { aFlag, type Rules, wholeNumber } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { factOf } from '../snapshot/facts.ts';
import type { ShapeState } from '../snapshot/snapshot.ts';
import type { GpuPoses } from './gpu-poses.ts';
import type { GpuPositions } from './gpu-positions.ts';

/** A GPUBuffer if the compiler knows WebGPU's types, else any object. */
export type DeviceBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Known } }
  ? Known
  : object;

/** Whether an argument looks like a GPUBuffer at run time. */
export const isBuffer = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && 'usage' in given;

/**
 * Where items lie in a GPUBuffer. An item is a position (x, y, z in single precision) or a pose (16 single-precision
 * numbers, column-major, as in an `array<mat4x4f>`).
 */
export interface BufferLayout {
  /** Bytes before the first item, a multiple of 4. Default 0. */
  readonly offset?: number | undefined;
  /**
   * Bytes from one item to the next, a multiple of 4. Default: tightly packed. 16 for an `array<vec3f>` of positions.
   */
  readonly stride?: number | undefined;
}

/**
 * Checks the types alone. Whether a layout fits its buffer, in multiples of 4, is checked in
 * gpu/buffers/app-copies.ts.
 */
export const layoutRules: Rules<BufferLayout> = { offset: wholeNumber(0), stride: wholeNumber(1) };

/** What a buffer contains. */
export interface BufferItems {
  readonly what: 'vertices' | 'poses';
  readonly count: number;
  /** Single-precision numbers per item. */
  readonly numbers: number;
}

/** How a body takes new positions. */
export interface DeformOptions extends BufferLayout {
  /**
   * Rebuilds the tree instead of refitting it. Use it when the new positions have little to do with the last ones, as
   * after a jump. If left out, the tree is rebuilt once refitting has made it slow to search.
   */
  readonly rebuild?: boolean | undefined;
}

export const deformRules: Rules<DeformOptions> = { ...layoutRules, rebuild: aFlag };

/** An engine's copy of an application's buffer. */
export interface BufferCopy {
  /** The copy. It starts at byte 0 and has `stride` 4-byte words per item. */
  readonly buffer: object;
  readonly stride: number;
  /**
   * Rejects if the device refused the copy: with 'out-of-memory' if there was no memory for it, with 'bad-array' if
   * the buffer could not be copied. The contents are then undefined, and the application has to give positions or
   * poses again.
   */
  readonly copied: Promise<void>;
  /** Reads back the numbers of all items, or of the given ones, in order. */
  read(items?: readonly number[]): Promise<Float32Array>;
  /** Gives the copy back: the engine may reuse its memory. */
  release(): void;
}

/** Copies of an application's buffers, made by an engine on its own device. */
export interface AppBuffers {
  /** The positions of a body. `owner` is its name, for error messages. */
  positions(buffer: object, mesh: Mesh, layout: BufferLayout, owner: string): GpuPositions;
  /** The poses of `count` bodies. `nameAt` gives the name of a row's body, for error messages. */
  poses(buffer: object, count: number, layout: BufferLayout, nameAt: (row: number) => string): GpuPoses;
}

/** The state, with positions on the CPU if they have been read back. */
export const readable = (state: ShapeState): ShapeState => state.onGpu?.state ?? state;

/** Whether any positions were ever on a GPU. If not, `isAnyOnGpu` need not search. */
let anyOnGpu = false;

/** Called when positions on a GPU are created. */
export function noteOnGpu(): void {
  anyOnGpu = true;
}

/** Whether any of these bodies has its positions on the GPU. */
export const isAnyOnGpu = (shapeStates: readonly ShapeState[]): boolean =>
  anyOnGpu && factOf(shapeStates, findAnyOnGpu);

const findAnyOnGpu = (shapeStates: readonly ShapeState[]): boolean =>
  shapeStates.some(({ onGpu }) => onGpu !== undefined);

/** Reads back the positions of these bodies that are on the GPU alone. */
export async function readFromGpu(shapeStates: Iterable<ShapeState>): Promise<void> {
  const reading = new Set<Promise<ShapeState>>();
  for (const { onGpu } of shapeStates) if (onGpu !== undefined) reading.add(onGpu.read());
  await Promise.all(reading);
}

/** Throws the error for code that needs poses which are on the GPU alone. */
export function refusePoses(): never {
  const message = 'the poses of this scene came in a GPUBuffer and are not on the CPU';
  const help =
    'first await scene.readPoses(), or answer.relations() or answer.points() for those of an answer';
  throw new NearfieldError('unsupported', `${message}: ${help}`);
}
