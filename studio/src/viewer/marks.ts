// What is laid over the bodies: triangles that meet, curves, arrows, points, a measured distance.

import { arrowsGeometry } from 'nearfield/three';
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Points,
  PointsMaterial,
} from 'three/webgpu';

export interface MarkStyle {
  readonly colour: string;
  /** Seen through what is in front of it. */
  readonly through?: boolean;
  readonly size?: number;
}

export class Marks {
  readonly group = new Group();
  readonly #invalidate: () => void;

  constructor(invalidate: () => void) {
    this.#invalidate = invalidate;
    this.group.renderOrder = 1;
  }

  clear(): void {
    for (const child of [...this.group.children]) {
      child.removeFromParent();
      (child as Mesh).geometry?.dispose();
      ((child as Mesh).material as MeshBasicMaterial | undefined)?.dispose();
    }
    this.#invalidate();
  }

  /** Corners one after the other, in drawn coordinates. */
  triangles(corners: Float32Array, { colour, through = false }: MarkStyle): Object3D {
    const material = new MeshBasicMaterial({
      color: colour,
      side: DoubleSide,
      transparent: true,
      opacity: 0.85,
    });
    material.polygonOffset = true;
    material.polygonOffsetFactor = -2;
    material.polygonOffsetUnits = -2;
    material.depthTest = !through;
    return this.#add(new Mesh(geometryOf(corners), material));
  }

  /** Two ends for each segment. */
  lines(ends: Float32Array, { colour, through = true }: MarkStyle): Object3D {
    const material = new LineBasicMaterial({ color: colour, depthTest: !through, transparent: true });
    return this.#add(new LineSegments(geometryOf(ends), material));
  }

  arrows(
    points: ArrayLike<number>,
    vectors: ArrayLike<number>,
    { colour, through = true }: MarkStyle,
  ): Object3D {
    const material = new LineBasicMaterial({ color: colour, depthTest: !through, transparent: true });
    return this.#add(new LineSegments(arrowsGeometry(points, vectors), material));
  }

  points(places: Float32Array, { colour, size = 4, through = true }: MarkStyle): Object3D {
    const material = new PointsMaterial({
      color: new Color(colour),
      size,
      sizeAttenuation: false,
      depthTest: !through,
    });
    return this.#add(new Points(geometryOf(places), material));
  }

  #add<T extends Mesh | LineSegments | Points>(object: T): T {
    object.frustumCulled = false;
    // WebGPU warns of draws of nothing.
    if (object.geometry.getAttribute('position').count > 0) this.group.add(object);
    this.#invalidate();
    return object;
  }
}

function geometryOf(places: Float32Array): BufferGeometry {
  return new BufferGeometry().setAttribute('position', new BufferAttribute(places, 3));
}
