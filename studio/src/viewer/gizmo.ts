// The handles that move and rotate a body.

import { TransformControls } from 'three/addons/controls/TransformControls.js';
import { Object3D as Handle, type Object3D, Quaternion, Vector3 } from 'three/webgpu';
import { matrixOf } from './bodies.ts';
import type { Camera } from './camera.ts';

export type GizmoMode = 'translate' | 'rotate';

/** Called for every step of a drag with the new pose. `drag` is one object per drag. */
export type Dragged = (pose: Float64Array, drag: object, ended: boolean) => void;

export class Gizmo {
  readonly helper: Object3D;
  readonly #controls: TransformControls;
  /** A handle in the middle of the body; the body follows it. */
  readonly #handle = new Handle();
  readonly #invalidate: () => void;
  #start: { handle: ReturnType<typeof matrixOf>; pose: Float64Array } | undefined;
  #pose: Float64Array | undefined;
  #origin: readonly number[] = [0, 0, 0];
  #drag: object | undefined;
  dragged: Dragged = () => {};

  constructor(camera: Camera, canvas: HTMLCanvasElement, invalidate: () => void) {
    this.#invalidate = invalidate;
    this.#controls = new TransformControls(camera.camera, canvas);
    this.#controls.setSize(0.9);
    this.helper = this.#controls.getHelper();
    this.helper.add(this.#handle);
    this.#controls.addEventListener('change', invalidate);
    this.#controls.addEventListener('dragging-changed', ({ value }) => {
      camera.controls.enabled = !value;
      if (value) this.#begin();
      else this.#end();
    });
    this.#controls.addEventListener('objectChange', () => {
      if (this.#drag && this.#start) this.dragged(this.#now(), this.#drag, false);
    });
  }

  /** Listens to events of another canvas. */
  listenTo(canvas: HTMLCanvasElement): void {
    this.#controls.connect(canvas);
  }

  get isDragging(): boolean {
    return this.#drag !== undefined;
  }

  /** Moves to `middle` (drawn coordinates) of a body with this pose; undefined hides it. */
  attach(
    pose: Float64Array | undefined,
    middle = new Vector3(),
    origin: readonly number[] = [0, 0, 0],
  ): void {
    if (this.isDragging) return;
    const isThere = pose === undefined || this.#handle.position.equals(middle);
    if (pose === this.#pose && isThere) return;
    this.#pose = pose;
    this.#origin = origin;
    if (pose === undefined) this.#controls.detach();
    else {
      this.#handle.position.copy(middle);
      this.#handle.quaternion.copy(new Quaternion());
      this.#handle.updateMatrixWorld();
      this.#controls.attach(this.#handle);
    }
    this.#invalidate();
  }

  get mode(): GizmoMode {
    return this.#controls.mode as GizmoMode;
  }

  /** Moves by multiples of a length and turns by multiples of an angle in degrees; undefined for any. */
  setSnap(length: number | undefined, angle: number | undefined): void {
    this.#controls.setTranslationSnap(length ?? null);
    this.#controls.setRotationSnap(angle === undefined ? null : (angle * Math.PI) / 180);
  }

  setMode(mode: GizmoMode): void {
    this.#controls.setMode(mode);
    this.#invalidate();
  }

  #begin(): void {
    if (this.#pose === undefined) return;
    this.#handle.updateMatrix();
    this.#start = { handle: this.#handle.matrix.clone(), pose: this.#pose };
    this.#drag = {};
  }

  #end(): void {
    const [drag, start] = [this.#drag, this.#start];
    if (drag === undefined || start === undefined) return;
    const pose = this.#now();
    this.#drag = undefined;
    this.#start = undefined;
    this.dragged(pose, drag, true);
  }

  /** Applies the handle's movement since the drag began to the body, about the drawn origin. */
  #now(): Float64Array {
    const { handle, pose } = this.#start!;
    this.#handle.updateMatrix();
    const moved = this.#handle.matrix.clone().multiply(handle.clone().invert());
    const drawn = Array.from(pose);
    for (let axis = 0; axis < 3; axis++) drawn[12 + axis] -= this.#origin[axis];
    const next = Float64Array.from(moved.multiply(matrixOf(drawn)).elements);
    for (let axis = 0; axis < 3; axis++) next[12 + axis] += this.#origin[axis];
    // three.js rounds the last row.
    next.set([0], 3);
    next.set([0], 7);
    next.set([0], 11);
    next.set([1], 15);
    return next;
  }
}
