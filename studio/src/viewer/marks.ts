// Marks over the bodies: triangles that meet, curves, arrows, points, a measured distance.
// The marks change with every step of a scene. Objects are reused from step to step by their style: three.js drops a
// program with the last material that uses it, and would compile the same program again for each step.

import { arrowsGeometry } from 'nearfield/three';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { LineSegments2 } from 'three/addons/lines/webgpu/LineSegments2.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import {
  BufferAttribute,
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  InstancedMesh,
  Line2NodeMaterial,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  NormalBlending,
  OctahedronGeometry,
  Quaternion,
  Vector3,
} from 'three/webgpu';

export interface MarkStyle {
  readonly colour: string;
  /** Visible through what is in front of it. */
  readonly through?: boolean;
  /** The size of points, in world units. */
  readonly size?: number;
}

type Mark = Mesh | LineSegments | InstancedMesh;

export class Marks {
  readonly group = new Group();
  readonly #invalidate: () => void;
  /** Visible marks with their styles. */
  readonly #shown = new Map<Mark, string>();
  /** Hidden marks for reuse, by style. */
  readonly #spare = new Map<string, Mark[]>();
  /** One across. */
  readonly #point = new OctahedronGeometry(0.5);

  constructor(invalidate: () => void) {
    this.#invalidate = invalidate;
    this.group.renderOrder = 1;
  }

  clear(): void {
    for (const [mark, style] of this.#shown) {
      mark.removeFromParent();
      if (mark.geometry !== this.#point) mark.geometry.dispose();
      this.#spare.set(style, [...(this.#spare.get(style) ?? []), mark]);
    }
    this.#shown.clear();
    this.#invalidate();
  }

  /** Corners in one array, in drawn coordinates. */
  triangles(corners: Float32Array, { colour, through = false }: MarkStyle): void {
    if (corners.length === 0) return;
    const style = `triangles ${colour} ${through}`;
    const mark = this.#take<Mesh>(style) ?? new Mesh(undefined, triangleMaterial(colour, through));
    this.#show(mark, style, geometryOf(corners));
  }

  /** Two ends per segment. */
  lines(ends: Float32Array, style: MarkStyle): void {
    if (ends.length > 0) this.#segments(geometryOf(ends), style);
  }

  arrows(points: ArrayLike<number>, vectors: ArrayLike<number>, style: MarkStyle): void {
    if (points.length > 0) this.#segments(arrowsGeometry(points, vectors), style);
  }

  /**
   * Segments that shine: bold where they are seen, with a glow around, fainter and thinner where a body hides them.
   */
  glow(ends: Float32Array, { colour, core = '#fff6dc' }: MarkStyle & { readonly core?: string }): void {
    if (ends.length === 0) return;
    this.#bold(ends, { colour, width: 3, opacity: 0.4, through: true });
    this.#bold(ends, { colour, width: 9, opacity: 0.5 });
    this.#bold(ends, { colour: core, width: 2.5, opacity: 1 });
  }

  /** Segments on surfaces, where no body hides them. */
  curve(ends: Float32Array, { colour }: MarkStyle): void {
    if (ends.length > 0) this.#bold(ends, { colour, width: 2.5, opacity: 0.9 });
  }

  /** A solid arrow, visible through everything. `size` is the diameter of its shaft. */
  arrow(from: Vector3, to: Vector3, { colour, size = 0.01 }: MarkStyle): void {
    const style = `arrow ${colour}`;
    const make = () =>
      new MeshLambertMaterial({
        ...{ color: colour, emissive: colour, emissiveIntensity: 0.55, depthTest: false, transparent: true },
      });
    this.#show(this.#take<Mesh>(style) ?? new Mesh(undefined, make()), style, arrowOf(from, to, size));
  }

  /** Bold segments, visible through everything. */
  bold(ends: Float32Array, { colour }: MarkStyle): void {
    if (ends.length > 0) this.#bold(ends, { colour, width: 4, opacity: 1, through: true });
  }

  #bold(ends: Float32Array, how: BoldStyle): void {
    const style = `bold ${how.colour} ${how.width} ${how.through}`;
    const mark = this.#take<LineSegments2>(style) ?? new LineSegments2(undefined, boldMaterial(how));
    this.#show(mark, style, new LineSegmentsGeometry().setPositions(ends));
  }

  /** Small spheres at places, of diameter `size`. */
  points(places: Float32Array, { colour, size = 0.01, through = true }: MarkStyle): void {
    const count = places.length / 3;
    if (count === 0) return;
    const style = `points ${colour} ${through}`;
    const kept = this.#take<InstancedMesh>(style);
    let many = kept;
    if (many === undefined || many.instanceMatrix.count < count) {
      const material =
        kept?.material ?? new MeshBasicMaterial({ color: colour, depthTest: !through, transparent: through });
      // With spare capacity, so that it is seldom created again.
      many = new InstancedMesh(this.#point, material, 2 ** Math.ceil(Math.log2(count)));
      kept?.dispose();
    }
    const matrix = new Matrix4().makeScale(size, size, size);
    for (let i = 0; i < count; i++) {
      many.setMatrixAt(i, matrix.setPosition(places[3 * i], places[3 * i + 1], places[3 * i + 2]));
    }
    many.count = count;
    many.instanceMatrix.needsUpdate = true;
    this.#show(many, style, this.#point);
  }

  #segments(geometry: BufferGeometry, { colour, through = true }: MarkStyle): void {
    const style = `lines ${colour} ${through}`;
    const make = () => new LineBasicMaterial({ color: colour, depthTest: !through, transparent: true });
    const mark = this.#take<LineSegments>(style) ?? new LineSegments(undefined, make());
    this.#show(mark, style, geometry);
  }

  #take<T extends Mark>(style: string): T | undefined {
    return this.#spare.get(style)?.pop() as T | undefined;
  }

  #show(mark: Mark, style: string, geometry: BufferGeometry): void {
    mark.geometry = geometry;
    mark.frustumCulled = false;
    // Later marks lie over earlier ones. Otherwise the objects created first would be drawn first.
    mark.renderOrder = this.#shown.size;
    this.#shown.set(mark, style);
    this.group.add(mark);
    this.#invalidate();
  }
}

interface BoldStyle {
  readonly colour: string;
  /** In pixels. */
  readonly width: number;
  readonly opacity: number;
  readonly through?: boolean;
}

function boldMaterial({ colour, width, opacity, through = false }: BoldStyle): Line2NodeMaterial {
  const material = new Line2NodeMaterial({ color: colour, linewidth: width });
  material.opacity = opacity;
  material.transparent = true;
  material.blending = NormalBlending;
  material.depthWrite = false;
  material.depthTest = !through;
  // Curves lie on surfaces: without this they would flicker.
  material.polygonOffset = true;
  material.polygonOffsetFactor = -4;
  material.polygonOffsetUnits = -4;
  return material;
}

/** A shaft and a head; a short way has a head only as long as half of it. */
function arrowOf(from: Vector3, to: Vector3, size: number): BufferGeometry {
  const way = to.clone().sub(from);
  const length = Math.max(way.length(), 1e-300);
  const head = Math.min(5 * size, 0.5 * length);
  const across = head / 5;
  // Both stand along +y, with their middles in the origin.
  const shaft = new CylinderGeometry(across / 2, across / 2, length - head, 20);
  const point = new ConeGeometry(1.7 * across, head, 28).translate(0, (length - head) / 2 + head / 2, 0);
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), way.divideScalar(length));
  const place = new Matrix4().compose(
    from.clone().addScaledVector(way, (length - head) / 2),
    turn,
    new Vector3(1, 1, 1),
  );
  return mergeGeometries([shaft, point]).applyMatrix4(place);
}

function triangleMaterial(color: string, through: boolean): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ color, side: DoubleSide, transparent: true, opacity: 0.85 });
  // Both sides look the same, so the far ones need not be drawn first.
  material.forceSinglePass = true;
  material.polygonOffset = true;
  material.polygonOffsetFactor = -2;
  material.polygonOffsetUnits = -2;
  material.depthTest = !through;
  return material;
}

function geometryOf(places: Float32Array): BufferGeometry {
  return new BufferGeometry().setAttribute('position', new BufferAttribute(places, 3));
}
