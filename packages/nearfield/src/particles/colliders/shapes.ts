// What particles may hit, as applications say it (Knott, section 3.2: planes with constraints and quadrics; beyond it meshes,
// distance fields, implicit blobs, and all of them moving). Types only; compile.ts checks them and makes them ready.

import type { Body } from '../../bodies/body.ts';
import type { Pose } from '../../math/pose.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { DistanceField } from '../../sampled/field/field.ts';

export type Vector = readonly [number, number, number];
export type Range = readonly [low: number, high: number];

/** A part of a plane, in its (right, up) axes about its point. Borders belong to it; holes are taken out, with their borders left in. */
export type Outline =
  | { readonly disc: number }
  /** Half the width and half the height. */
  | { readonly rectangle: Range }
  /** The inner and the outer radius. */
  | { readonly ring: Range }
  /** Corners in order, either way round; two numbers each. */
  | { readonly polygon: Loop; readonly holes?: readonly Loop[] | undefined };
export type Loop = readonly (readonly [number, number])[];

/** A constraint c(p) ≥ 0: normal·p ≤ offset, or within a ball (outside of it where said). Moves with its collider. */
export type Bound =
  | { readonly normal: Vector; readonly offset: number }
  | {
      readonly ball: { readonly centre: Vector; readonly radius: number };
      readonly outside?: boolean | undefined;
    };

/** A soft ball of an implicit surface, or what a ball sweeps along a segment (a skeletal surface). */
export type Blob =
  | { readonly at: Vector; readonly radius: number; readonly weight?: number | undefined }
  | {
      readonly from: Vector;
      readonly to: Vector;
      readonly radius: number;
      readonly weight?: number | undefined;
    };

/**
 * A rigid motion in closed form: the collider, given as it is at the time `at`, turns about `pivot` by turn·(t − at), and
 * moves by velocity·(t − at) + ½ acceleration·(t − at)², its pivot with it.
 */
export interface RigidMotion {
  readonly velocity?: Vector | undefined;
  readonly acceleration?: Vector | undefined;
  /** 0 0 0 unless given. */
  readonly pivot?: Vector | undefined;
  /** Axis times radians a second. */
  readonly turn?: Vector | undefined;
  /** Seconds; 0 unless given. */
  readonly at?: number | undefined;
}

/** What becomes of a particle that hits. */
export type Response =
  | { readonly kind: 'vanish' }
  | {
      readonly kind: 'bounce';
      /** Share of the normal speed that is kept, 0 to 1; 0.5 unless given. */
      readonly restitution?: number | undefined;
      /** Coulomb's coefficient, at least 0; 0 unless given. */
      readonly friction?: number | undefined;
      /**
       * A particle whose rebound is slower than this along the normal rests, and rides on the collider to the end of its
       * life. Unless given, 0.1 % of what a start's speed can be and what is gained in a fall through all starts and colliders.
       */
      readonly restSpeed?: number | undefined;
      /** Bounces of a life after which the particle rests at the next impact; 10,000 unless given, 65,535 at most. */
      readonly most?: number | undefined;
    };

/** Numbers given with a surface, returned with an impact for its place (Knott, section 3.7: precomputed impact data). */
export type SurfaceData =
  /** Over the map's parameters: rows of `width` texels of `channels` numbers, v upwards. */
  | {
      readonly width: number;
      readonly height: number;
      readonly channels: number;
      readonly values: Float32Array;
      readonly interpolate?: 'nearest' | 'linear' | undefined;
    }
  /** Of meshes: by triangle, or by vertex and then interpolated. */
  | { readonly triangles: Float32Array; readonly channels: number }
  | { readonly vertices: Float32Array; readonly channels: number };

/** How a surface is unrolled into the unit square. */
export type MapForm =
  /** Of planes: the box of the outline, linearly: a texel is M/p × N/q of M × N. */
  | 'plane'
  /** Of spheres: longitude and height. Every texel has the same area. */
  | 'equal-area'
  /** Seen along an axis: the other two coordinates over the collider's own box. */
  | { readonly planar: 'x' | 'y' | 'z' }
  /** Round an axis through the middle of the collider's own box: angle, then height over the box. */
  | { readonly cylindrical: 'x' | 'y' | 'z' }
  /** Of meshes: two numbers for each corner of each triangle, 0 to 1. */
  | { readonly uv: Float32Array }
  /** Of meshes: one texel a triangle, row after row. */
  | 'triangles';

export interface MapOptions {
  readonly width: number;
  readonly height: number;
  /** What becomes of several impacts in a texel: the last, how many, or the sum of them. */
  readonly combine: 'overwrite' | 'count' | 'sum';
  /** What the third channel holds, or adds up; 'speed' unless given. */
  readonly of?: 'speed' | 'normalSpeed' | 'one' | undefined;
  readonly form?: MapForm | undefined;
}

export interface ColliderCommon {
  readonly name?: string | undefined;
  readonly motion?: RigidMotion | undefined;
  /** That of the system unless given. */
  readonly response?: Response | undefined;
  /** 'front': only what comes from the side of the normal, or from where a quadric, a field or a mesh is positive (outside). */
  readonly sides?: 'both' | 'front' | undefined;
  readonly map?: MapOptions | undefined;
  readonly data?: SurfaceData | undefined;
}

/** Of surfaces with borders. */
export interface Bordered {
  /**
   * True where this is a piece of something larger that shares borders with others, a can's side and its lid: then its borders reach
   * out by as much as rounding may move a place, and no path gets through between them. Otherwise they end exactly where they end.
   */
  readonly sealed?: boolean | undefined;
}

export interface PlaneCollider extends ColliderCommon, Bordered {
  /** `right` is made square to the normal; any direction unless given. up = normal × right. */
  readonly plane: {
    readonly point: Vector;
    readonly normal: Vector;
    readonly right?: Vector | undefined;
  };
  /** The whole plane unless given. */
  readonly within?: Outline | undefined;
  readonly bounds?: readonly Bound[] | undefined;
}

export interface SphereCollider extends ColliderCommon, Bordered {
  readonly sphere: { readonly centre: Vector; readonly radius: number };
  readonly bounds?: readonly Bound[] | undefined;
  /** Low and high corner, where only the part in a box counts. */
  readonly box?: readonly [Vector, Vector] | undefined;
}

export interface QuadricCollider extends ColliderCommon, Bordered {
  /**
   * The points with (x y z 1) Q (x y z 1)ᵀ = 0: sixteen numbers of a symmetric matrix, or ten, A to J of
   * A·x² + B·y² + C·z² + 2(D·xy + E·xz + F·yz + G·x + H·y + I·z) + J = 0 (Knott, equation 3.8).
   */
  readonly quadric: Float64Array | readonly number[];
  readonly bounds?: readonly Bound[] | undefined;
  /** Low and high corner, where only the part in a box counts. */
  readonly box?: readonly [Vector, Vector] | undefined;
}

export interface BodyCollider extends ColliderCommon {
  /** As it stands when the particles are made. */
  readonly body: Body;
}

export interface MeshCollider extends ColliderCommon {
  readonly mesh: Mesh;
  readonly pose?: Pose | undefined;
}

export interface FieldCollider extends ColliderCommon {
  /** The zero set of what its samples interpolate (trilinearly), between its first and last samples. */
  readonly field: DistanceField;
  readonly pose?: Pose | undefined;
}

export interface BlobsCollider extends ColliderCommon {
  /** The points with Σ weight·(1 − distance²/radius²)³ = level, of blobs no farther than their radius. */
  readonly blobs: readonly Blob[];
  /** 0.5 unless given. */
  readonly level?: number | undefined;
}

export type Collider =
  | PlaneCollider
  | SphereCollider
  | QuadricCollider
  | BodyCollider
  | MeshCollider
  | FieldCollider
  | BlobsCollider;
