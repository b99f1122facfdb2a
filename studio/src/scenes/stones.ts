// Hail on the GPU that the page draws with: lives, impacts and places are found there, and three.js draws the stones from the
// very buffer that Nearfield writes. Nothing is done for any stone on the processor, and nothing is read back but impacts.

import { attribute, positionLocal, step } from 'three/tsl';
import {
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshStandardNodeMaterial,
  OctahedronGeometry,
} from 'three/webgpu';
import { nearfieldOn } from '../engine/choose.ts';
import type { Viewer } from '../viewer/viewer.ts';
import { HailRun } from './hail.ts';
import { markColours } from './list.ts';
import type { Found, PageEngine, Settings } from './types.ts';

/** Metres across. */
const stoneSize = 0.09;

export class Stones implements PageEngine {
  readonly #run: HailRun;
  readonly #viewer: Viewer;
  readonly #drawn: Mesh<InstancedBufferGeometry, MeshStandardNodeMaterial>;

  private constructor(run: HailRun, viewer: Viewer) {
    this.#run = run;
    this.#viewer = viewer;
    this.#drawn = drawnFrom(run, viewer);
    viewer.scene.add(this.#drawn);
  }

  static async create(device: GPUDevice, viewer: Viewer, count: number): Promise<Stones> {
    return new Stones(await HailRun.create(await nearfieldOn(device), count), viewer);
  }

  apply(): void {
    // What stands about has its motion in a formula, too: nothing is to be brought over.
  }

  async ask(settings: Settings): Promise<Found> {
    const found = await this.#run.step(settings);
    this.#run.hail.particles.draw(this.#run.time);
    return found;
  }

  close(): void {
    this.#drawn.removeFromParent();
    this.#drawn.geometry.dispose();
    this.#drawn.material.dispose();
    this.#run.close();
    this.#viewer.invalidate();
  }
}

function drawnFrom({ hail: { particles } }: HailRun, { renderer }: Viewer) {
  const { count, positions, origin } = particles;
  const shape = new OctahedronGeometry(stoneSize / 2, 1);
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute('position', shape.getAttribute('position'));
  geometry.setAttribute('normal', shape.getAttribute('normal'));
  const places = new InstancedBufferAttribute(new Float32Array(4 * count), 4);
  geometry.setAttribute('place', places);
  geometry.instanceCount = count;
  // Where three.js keeps the buffer of an attribute: it makes none where there is one.
  const backend = renderer.backend as unknown as { get(key: object): { buffer?: GPUBuffer } };
  backend.get(places).buffer = positions as GPUBuffer;
  const material = new MeshStandardNodeMaterial({ color: markColours.stone, roughness: 0.3, metalness: 0 });
  const place = attribute<'vec4'>('place', 'vec4');
  // Before it is born and when it is gone, a stone's age is below 0, and it has no size.
  material.positionNode = positionLocal.mul(step(0, place.w)).add(place.xyz);
  const drawn = new Mesh(geometry, material);
  drawn.position.set(origin[0], origin[1], origin[2]);
  drawn.frustumCulled = false;
  return drawn;
}
