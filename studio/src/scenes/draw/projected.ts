// Projects a distance map onto the bodies that it was measured between: each point of the surfaces that face each
// other shows the distance along its line. The material looks up the map per pixel, so no vertex changes when the map
// does.

import { dot, materialColor, mix, normalWorld, positionWorld, step, texture, uniform, vec2 } from 'three/tsl';
import {
  type Color,
  DataTexture,
  DoubleSide,
  MeshStandardNodeMaterial,
  NearestFilter,
  SRGBColorSpace,
  Vector3,
} from 'three/webgpu';
import type { DistanceData } from '../types.ts';
import { measuredColours } from './maps.ts';

/** A surface steeper than this against the lines does not count as facing. */
const leastFacing = 0.15;

export class ProjectedMap {
  readonly #corner = uniform(new Vector3());
  /** The sides of the map, divided by the squares of their lengths. */
  readonly #right = uniform(new Vector3());
  readonly #up = uniform(new Vector3());
  readonly #direction = uniform(new Vector3());
  readonly #texture = texture(new DataTexture(new Uint8Array(4), 1, 1));

  /** For the first body, which faces along the direction, or the second, which faces against it. */
  material(color: Color, isFirst: boolean): MeshStandardNodeMaterial {
    const material = new MeshStandardNodeMaterial({
      color,
      roughness: 0.62,
      metalness: 0.05,
      side: DoubleSide,
    });
    const from = positionWorld.sub(this.#corner);
    const place = vec2(dot(from, this.#right), dot(from, this.#up));
    const seen = this.#texture.sample(place);
    const inside = step(0, place.x).mul(step(place.x, 1)).mul(step(0, place.y)).mul(step(place.y, 1));
    const facing = step(leastFacing, dot(normalWorld, this.#direction).mul(isFirst ? 1 : -1));
    material.colorNode = mix(materialColor, seen.rgb, seen.a.mul(inside).mul(facing));
    return material;
  }

  show(map: DistanceData): void {
    const drawn = new DataTexture(new Uint8Array(measuredColours(map)), map.columns, map.rows);
    drawn.colorSpace = SRGBColorSpace;
    drawn.magFilter = NearestFilter;
    drawn.needsUpdate = true;
    this.#texture.value.dispose();
    this.#texture.value = drawn;
    const [right, up] = [new Vector3(...map.right), new Vector3(...map.up)];
    this.#corner.value.set(map.corner[0], map.corner[1], map.corner[2]);
    this.#direction.value.crossVectors(right, up).normalize();
    this.#right.value.copy(right).divideScalar(right.lengthSq());
    this.#up.value.copy(up).divideScalar(up.lengthSq());
  }

  close(): void {
    this.#texture.value.dispose();
  }
}
