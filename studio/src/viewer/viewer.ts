// The view: bodies, marks, and a grid below, redrawn when something changed.

import {
  AmbientLight,
  type Box3,
  Color,
  DirectionalLight,
  HemisphereLight,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGPURenderer,
} from 'three/webgpu';
import type { Chosen } from '../engine/pairs/choose.ts';
import type { BodyId } from '../engine/types.ts';
import type { Ambient } from './ambient.ts';
import { Bodies } from './bodies.ts';
import { Camera } from './camera.ts';
import { Gizmo } from './gizmo.ts';
import { Labels } from './labels.ts';
import { Marks } from './marks.ts';
import type { Hit } from './pick.ts';
import { Sight } from './sight.ts';

/** The view is at rest if nothing was drawn for this many milliseconds. */
const restsAfter = 150;

type Drawing = Pick<Chosen, 'device' | 'smooth'>;

export class Viewer {
  readonly scene = new Scene();
  readonly bodies: Bodies;
  readonly marks: Marks;
  readonly camera: Camera;
  readonly gizmo: Gizmo;
  readonly sight = new Sight();
  readonly labels: Labels;
  /** What a measuring tool draws, apart from other marks. */
  readonly ruler: Marks;
  readonly rulerLabels: Labels;
  readonly #listeners = new Set<() => void>();
  readonly #smooth: boolean;
  readonly #sky = new HemisphereLight(0xffffff, 0x8d99a8, 1.5);
  readonly #lamp = new DirectionalLight(0xffffff, 1.9);
  #renderer: WebGPURenderer;
  #canvas: HTMLCanvasElement;
  #wanted = false;
  #isShaded: boolean;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #ambient: Promise<Ambient> | undefined;

  private constructor(canvas: HTMLCanvasElement, renderer: WebGPURenderer, smooth: boolean) {
    this.#smooth = smooth;
    this.#isShaded = smooth;
    this.#canvas = canvas;
    this.#renderer = renderer;
    const { invalidate } = this;
    this.camera = new Camera(canvas, invalidate);
    this.bodies = new Bodies(invalidate);
    this.marks = new Marks(invalidate);
    this.gizmo = new Gizmo(this.camera, canvas, invalidate);
    this.labels = new Labels(invalidate);
    this.ruler = new Marks(invalidate);
    this.rulerLabels = new Labels(invalidate);
    canvas.after(this.labels.element, this.rulerLabels.element);
    this.scene.add(this.ruler.group);
    // Faces that look up are lighter, as under a sky, and a lamp shines from above the camera, to its left.
    this.scene.add(this.#sky, new AmbientLight(0xffffff, 0.25), this.#lamp, this.#lamp.target);
    // A section also cuts what lies on the bodies.
    this.bodies.group.add(this.marks.group);
    this.scene.add(this.bodies.group, this.gizmo.helper);
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement!);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.recolour());
    this.#resize();
    this.recolour();
  }

  /** Draws on the given device; without one, three.js uses WebGL. */
  static async create(canvas: HTMLCanvasElement, { device, smooth }: Drawing): Promise<Viewer> {
    return new Viewer(canvas, await rendererOn(canvas, { device, smooth }), smooth);
  }

  get renderer(): WebGPURenderer {
    return this.#renderer;
  }

  /**
   * After the device was lost: WebGL draws the same scene on a new canvas, because a canvas has contexts of one kind
   * only.
   */
  async drawByWebGl(): Promise<void> {
    const canvas = this.#canvas.cloneNode() as HTMLCanvasElement;
    this.#renderer = await rendererOn(canvas, { device: undefined, smooth: this.#smooth });
    this.#ambient = undefined;
    this.#canvas.replaceWith(canvas);
    this.#canvas = canvas;
    this.camera.listenTo(canvas);
    this.gizmo.listenTo(canvas);
    this.#resize();
  }

  /**
   * Whether a picture at rest has ambient shading. A software GPU takes seconds for it, so it is on from the beginning
   * only on hardware.
   */
  get isShaded(): boolean {
    return this.#isShaded;
  }

  set isShaded(isOn: boolean) {
    this.#isShaded = isOn;
    this.invalidate();
  }

  /** Calls after each frame. */
  listenDrawn(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A tool that takes clicks at points of the page, before they select bodies. Returns whether it took one. */
  takesClick: ((x: number, y: number) => boolean) | undefined;

  /** Schedules one redraw, however often it is called. */
  readonly invalidate = (): void => {
    if (this.#wanted) return;
    this.#wanted = true;
    requestAnimationFrame(() => this.#draw());
  };

  /** The nearest body under a point of the page. */
  pick(x: number, y: number): BodyId | undefined {
    return this.hit(x, y)?.id;
  }

  /** The nearest point of a body under a point of the page. */
  hit(x: number, y: number): Hit | undefined {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const place = new Vector2(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2);
    const caster = new Raycaster();
    caster.setFromCamera(place, this.camera.camera);
    return this.bodies.hit(caster);
  }

  /** The colours of the theme, from the page's style. */
  recolour(): void {
    const style = getComputedStyle(document.documentElement);
    this.scene.background = new Color(style.getPropertyValue('--view').trim() || '#eef2f5');
    this.invalidate();
  }

  /** The size of a marked point. */
  get pointSize(): number {
    return 0.008 * this.bodies.box().getSize(new Vector3()).length();
  }

  fit({ atOnce = false } = {}): void {
    this.camera.flyTo(this.bodies.box(), { atOnce });
  }

  /** Views a place, in drawn coordinates, and some of its surroundings. */
  flyTo(box: Box3): void {
    const whole = this.bodies.box().getSize(new Vector3()).length();
    // Not so near that the object is no longer recognisable.
    const around = Math.max(whole * 0.02, box.getSize(new Vector3()).length() * 0.25);
    this.camera.flyTo(box.clone().expandByScalar(around));
  }

  /** The current view as a PNG. */
  async picture(): Promise<Blob> {
    const ambient = this.#isShaded ? await this.#loadAmbient() : undefined;
    this.#light();
    if (ambient) ambient.render(this.#away);
    else this.#renderer.render(this.scene, this.camera.camera);
    return new Promise((resolve, reject) => {
      this.#canvas.toBlob(blob =>
        blob ? resolve(blob) : reject(new Error('the picture could not be created')),
      );
    });
  }

  #draw(): void {
    this.#wanted = false;
    const flying = this.camera.update();
    this.#light();
    this.#renderer.render(this.scene, this.camera.camera);
    const { clientWidth, clientHeight } = this.#canvas;
    this.labels.follow(this.camera.camera, clientWidth, clientHeight);
    this.rulerLabels.follow(this.camera.camera, clientWidth, clientHeight);
    for (const listener of this.#listeners) listener();
    document.body.dataset['drawn'] = String(Number(document.body.dataset['drawn'] ?? 0) + 1);
    clearTimeout(this.#rest);
    if (flying) this.invalidate();
    else if (this.#isShaded) this.#rest = setTimeout(() => void this.#shade(), restsAfter);
  }

  /** Draws the picture at rest again, with ambient shading. */
  async #shade(): Promise<void> {
    const ambient = await this.#loadAmbient();
    // The next frame is at rest too, and calls again.
    if (this.#wanted || !this.#isShaded) return;
    ambient.render(this.#away);
    document.body.dataset['shaded'] = document.body.dataset['drawn'];
  }

  #loadAmbient(): Promise<Ambient> {
    this.#ambient ??= import('./ambient.ts').then(
      loaded => new loaded.Ambient(this.#renderer, this.scene, this.camera.camera),
    );
    return this.#ambient;
  }

  /** The distance of the point that is looked at. */
  get #away(): number {
    return this.camera.camera.position.distanceTo(this.camera.controls.target);
  }

  #light(): void {
    const { camera, controls } = this.camera;
    this.#sky.position.copy(camera.up);
    this.#lamp.position.set(-0.45, 0.75, 1).applyQuaternion(camera.quaternion).add(controls.target);
    this.#lamp.target.position.copy(controls.target);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#canvas.parentElement!;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.camera.resize(clientWidth, clientHeight);
    this.invalidate();
  }
}

async function rendererOn(canvas: HTMLCanvasElement, { device, smooth }: Drawing): Promise<WebGPURenderer> {
  const how = device ? { device } : { forceWebGL: true };
  const renderer = new WebGPURenderer({ canvas, antialias: smooth, ...how });
  await renderer.init();
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  return renderer;
}
