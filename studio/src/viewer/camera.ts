// The camera: orbit, pan, and flights to a place.

import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { type Box3, PerspectiveCamera, Quaternion, Sphere, Vector3 } from 'three/webgpu';

const flight = 350;

export type UpAxis = 'y' | 'z';

/** Where the camera is: the point it looks at, the direction from there to the eye, and the distance. */
interface Stand {
  readonly target: Vector3;
  readonly toward: Vector3;
  readonly away: number;
}

interface Flight {
  readonly from: Stand;
  readonly to: Stand;
  readonly start: number;
}

/** A view to fly to: what it shows at the point in its middle. */
export interface View {
  readonly target: Vector3;
  /** From there to the eye, a unit vector. */
  readonly toward: Vector3;
  readonly width: number;
  readonly height: number;
}

export class Camera {
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 1000);
  readonly #invalidate: () => void;
  #controls: OrbitControls;
  #canvas: HTMLCanvasElement;
  #up: UpAxis = 'z';
  #flight: Flight | undefined;

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
  flyTo(box: Box3, { margin = 1.02, atOnce = false, toward = this.#stand().toward } = {}): void {
    if (box.isEmpty()) return;
    const { center, radius } = box.getBoundingSphere(new Sphere());
    const upright = (this.camera.fov * Math.PI) / 360;
    const half = Math.min(upright, Math.atan(Math.tan(upright) * this.camera.aspect));
    const away = Math.max((margin * radius) / Math.sin(half), 1e-6);
    this.#setDepth(away, radius);
    this.#fly({ target: center, toward, away }, atOnce);
  }

  /** Looks from a direction at what was looked at before. */
  lookFrom(toward: Vector3): void {
    this.#fly({ ...this.#stand(), toward: toward.clone().normalize() }, false);
  }

  /** Views a place from a direction. */
  flyToView({ target, toward, width, height }: View): void {
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    const away = Math.max(height, width / this.camera.aspect, 1e-9) / (2 * tangent);
    this.#fly({ target, toward, away }, false);
  }

  #stand(): Stand {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const away = offset.length();
    return { target: this.controls.target.clone(), toward: offset.divideScalar(away || 1), away };
  }

  #fly(to: Stand, atOnce: boolean): void {
    const still = atOnce || matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#flight = { from: this.#stand(), to, start: still ? -Infinity : performance.now() };
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
      const { from, to, start } = flying;
      const t = Math.min((performance.now() - start) / flight, 1);
      const eased = t * t * (3 - 2 * t);
      const { target } = this.controls;
      target.lerpVectors(from.target, to.target, eased);
      // Around the target, not through what lies between.
      const turn = new Quaternion().setFromUnitVectors(from.toward, to.toward);
      const toward = from.toward.clone().applyQuaternion(new Quaternion().slerp(turn, eased));
      const away = from.away ** (1 - eased) * to.away ** eased;
      this.camera.position.copy(target).addScaledVector(t === 1 ? to.toward : toward, away);
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
