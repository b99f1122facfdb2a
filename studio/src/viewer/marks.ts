// What is laid over the bodies: triangles that meet, curves, arrows, points, a measured distance.

import { arrowsGeometry } from 'nearfield/three';
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  OctahedronGeometry,
} from 'three/webgpu';

export interface MarkStyle {
  readonly colour: string;
  /** Seen through what is in front of it. */
  readonly through?: boolean;
  /** Of points, in world units. */
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

  /** Small bodies at places, `size` across. */
  points(places: Float32Array, { colour, size = 0.01, through = true }: MarkStyle): Object3D {
    const material = new MeshBasicMaterial({ color: colour, depthTest: !through, transparent: through });
    const many = new InstancedMesh(new OctahedronGeometry(size / 2), material, places.length / 3);
    const matrix = new Matrix4();
    for (let i = 0; i < many.count; i++) {
      many.setMatrixAt(i, matrix.makeTranslation(places[3 * i], places[3 * i + 1], places[3 * i + 2]));
    }
    return this.#add(many);
  }

  #add<T extends Mesh | LineSegments>(object: T): T {
    object.frustumCulled = false;
    // WebGPU warns of draws of nothing.
    const isEmpty = object.geometry.getAttribute('position').count === 0;
    if (!isEmpty && (object as Partial<InstancedMesh>).count !== 0) this.group.add(object);
    this.#invalidate();
    return object;
  }
}

function geometryOf(places: Float32Array): BufferGeometry {
  return new BufferGeometry().setAttribute('position', new BufferAttribute(places, 3));
}
