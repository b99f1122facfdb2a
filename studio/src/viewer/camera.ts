// The camera: orbit, pan, and flights to a place.

import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Box3, PerspectiveCamera, Sphere, Vector3 } from 'three/webgpu';

const flight = 350;

export type UpAxis = 'y' | 'z';

export class Camera {
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 1000);
  readonly #invalidate: () => void;
  #controls: OrbitControls;
  #canvas: HTMLCanvasElement;
  #up: UpAxis = 'z';
  #flight: { from: Vector3; to: Vector3; target: Vector3; goal: Vector3; start: number } | undefined;

  constructor(canvas: HTMLCanvasElement, invalidate: () => void) {
    // z is up, as in CAD and BIM.
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(2, -4, 2.5);
    this.#invalidate = invalidate;
    this.#canvas = canvas;
    this.#controls = this.#orbit(new Vector3());
  }

  get controls(): OrbitControls {
    return this.#controls;
  }

  get up(): UpAxis {
    return this.#up;
  }

  /** +z upwards, or +y. The camera then looks at the scene as before, from the same side and height. */
  setUp(axis: UpAxis): void {
    if (axis === this.#up) return;
    this.#up = axis;
    const { target } = this.#controls;
    const { x, y, z } = this.camera.position.clone().sub(target);
    this.camera.position.copy(target).add(axis === 'y' ? new Vector3(x, z, -y) : new Vector3(x, -z, y));
    this.camera.up.set(0, axis === 'y' ? 1 : 0, axis === 'z' ? 1 : 0);
    this.#flight = undefined;
    // Controls take the axis that they orbit about when they are made, and keep it.
    this.#controls.dispose();
    this.#controls = this.#orbit(target);
    this.#invalidate();
  }

  /** Listens to events of another canvas. */
  listenTo(canvas: HTMLCanvasElement): void {
    this.#canvas = canvas;
    this.#controls.connect(canvas);
  }

  #orbit(target: Vector3): OrbitControls {
    const controls = new OrbitControls(this.camera, this.#canvas);
    controls.target.copy(target);
    controls.addEventListener('change', this.#invalidate);
    controls.addEventListener('start', () => {
      this.#flight = undefined;
    });
    controls.update();
    return controls;
  }

  /** Views a box from the current direction, near enough to fill the view. */
  flyTo(box: Box3, { margin = 1.02, atOnce = false } = {}): void {
    if (box.isEmpty()) return;
    const { center, radius } = box.getBoundingSphere(new Sphere());
    const upright = (this.camera.fov * Math.PI) / 360;
    const half = Math.min(upright, Math.atan(Math.tan(upright) * this.camera.aspect));
    const away = Math.max((margin * radius) / Math.sin(half), 1e-6);
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const to = center.clone().addScaledVector(direction, away);
    this.#setDepth(away, radius);
    const still = atOnce || matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#flight = {
      ...{ from: this.camera.position.clone(), to, target: this.controls.target.clone(), goal: center },
      start: still ? -Infinity : performance.now(),
    };
    this.#invalidate();
  }

  /** Keeps the whole scene between the near and the far plane. */
  setExtent(box: Box3): void {
    if (box.isEmpty()) return;
    const { center, radius } = box.getBoundingSphere(new Sphere());
    this.#setDepth(this.camera.position.distanceTo(center), radius);
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  /** Continues a flight. Returns whether it goes on. */
  update(): boolean {
    const flying = this.#flight;
    if (flying) {
      const t = Math.min((performance.now() - flying.start) / flight, 1);
      const eased = t * t * (3 - 2 * t);
      this.camera.position.lerpVectors(flying.from, flying.to, eased);
      this.controls.target.lerpVectors(flying.target, flying.goal, eased);
      if (t === 1) this.#flight = undefined;
    }
    this.controls.update();
    return this.#flight !== undefined;
  }

  #setDepth(away: number, radius: number): void {
    const far = Math.max(away + 20 * radius, this.camera.far > 1e3 * radius ? 0 : this.camera.far);
    this.camera.far = far;
    this.camera.near = far / 2e4;
    this.camera.updateProjectionMatrix();
  }
}
