// Hail on the GPU that draws the page: lives, impacts and positions are computed there, and three.js draws the stones
// from the buffer that Nearfield writes. The CPU does no work per stone, and only impacts are read back.

import { attribute, positionLocal, step } from 'three/tsl';
import {
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshStandardNodeMaterial,
  OctahedronGeometry,
} from 'three/webgpu';
import { nearfieldOn } from '../../engine/pairs/choose.ts';
import type { Viewer } from '../../viewer/viewer.ts';
import { markColours } from '../list.ts';
import type { Found, PageEngine, Settings } from '../types.ts';
import { HailRun } from './hail.ts';

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
    // The colliders also move by formulas, so nothing needs to be transferred.
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
  // Puts the buffer where three.js keeps the buffer of an attribute, so that it creates none.
  const backend = renderer.backend as unknown as { get(key: object): { buffer?: GPUBuffer } };
  backend.get(places).buffer = positions as GPUBuffer;
  const material = new MeshStandardNodeMaterial({ color: markColours.stone, roughness: 0.3, metalness: 0 });
  const place = attribute<'vec4'>('place', 'vec4');
  // Before its birth and after its end, the age of a stone is negative and it has no size.
  material.positionNode = positionLocal.mul(step(0, place.w)).add(place.xyz);
  const drawn = new Mesh(geometry, material);
  drawn.position.set(origin[0], origin[1], origin[2]);
  drawn.frustumCulled = false;
  return drawn;
}
