// What particles may hit, as applications describe it (Knott, section 3.2: planes with constraints and quadrics; beyond
// it meshes, distance fields, implicit blobs, and all of them moving). Types only; compile.ts checks and compiles them.

import type { Body } from '../../bodies/body.ts';
import type { Pose } from '../../math/pose.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { DistanceField } from '../../sampled/field/field.ts';

/** x, y and z. */
export type Vector = readonly [number, number, number];
/** The least and the greatest value. */
export type Range = readonly [low: number, high: number];

/**
 * A part of a plane, in its (right, up) axes about its point. Borders belong to it. Holes are removed, but their
 * borders belong to it.
 */
export type Outline =
  | { readonly disc: number }
  /** Half the width and half the height. */
  | { readonly rectangle: Range }
  /** The inner and the outer radius. */
  | { readonly ring: Range }
  /** Corners in order, in either direction; two numbers per corner. */
  | { readonly polygon: Loop; readonly holes?: readonly Loop[] | undefined };
/** Corners of a polygon in the plane, two numbers per corner. */
export type Loop = readonly (readonly [number, number])[];

/** A constraint c(p) ≥ 0: normal·p ≤ offset, or inside a ball (outside it if so specified). Moves with its collider. */
export type Bound =
  | { readonly normal: Vector; readonly offset: number }
  | {
      readonly ball: { readonly centre: Vector; readonly radius: number };
      readonly outside?: boolean | undefined;
    };

/** A soft ball of an implicit surface, or a ball swept along a segment (a skeletal surface). */
export type Blob =
  | { readonly at: Vector; readonly radius: number; readonly weight?: number | undefined }
  | {
      readonly from: Vector;
      readonly to: Vector;
      readonly radius: number;
      readonly weight?: number | undefined;
    };

/**
 * A rigid motion in closed form. The collider is given as it is at the time `at`. It turns about `pivot` by turn·(t −
 * at), and moves by velocity·(t − at) + ½ acceleration·(t − at)², its pivot with it.
 */
export interface RigidMotion {
  readonly velocity?: Vector | undefined;
  readonly acceleration?: Vector | undefined;
  /** Default 0 0 0. */
  readonly pivot?: Vector | undefined;
  /** Axis times radians per second. */
  readonly turn?: Vector | undefined;
  /** Seconds; default 0. */
  readonly at?: number | undefined;
}

/** What happens to a particle that hits. */
export type Response =
  | { readonly kind: 'vanish' }
  | {
      readonly kind: 'bounce';
      /** The share of the normal speed that is kept, 0 to 1; default 0.5. */
      readonly restitution?: number | undefined;
      /** Coulomb's coefficient, at least 0; default 0. */
      readonly friction?: number | undefined;
      /**
       * A particle whose rebound is slower than this along the normal rests, and rides on the collider to the end of
       * its life. The default is 0.1 % of the greatest speed of a start plus what a fall through all starts and
       * colliders gains.
       */
      readonly restSpeed?: number | undefined;
      /** After this many bounces of a life the particle rests at the next impact; default 10,000, at most 65,535. */
      readonly most?: number | undefined;
    };

/**
 * Numbers given with a surface, returned with an impact for its place (Knott, section 3.7: precomputed impact data).
 */
export type SurfaceData =
  /** Over the map's parameters: rows of `width` texels of `channels` numbers, v upwards. */
  | {
      readonly width: number;
      readonly height: number;
      readonly channels: number;
      readonly values: Float32Array;
      readonly interpolate?: 'nearest' | 'linear' | undefined;
    }
  /** For meshes: by triangle, or by vertex and then interpolated. */
  | { readonly triangles: Float32Array; readonly channels: number }
  | { readonly vertices: Float32Array; readonly channels: number };

/** How a surface is unrolled into the unit square. */
export type MapForm =
  /** For planes: the box of the outline, linearly: a texel is M/p × N/q of M × N. */
  | 'plane'
  /** For spheres: longitude and height. Every texel has the same area. */
  | 'equal-area'
  /** Seen along an axis: the other two coordinates over the collider's own box. */
  | { readonly planar: 'x' | 'y' | 'z' }
  /** Around an axis through the middle of the collider's own box: angle, then height over the box. */
  | { readonly cylindrical: 'x' | 'y' | 'z' }
  /** For meshes: two numbers per corner of each triangle, 0 to 1. */
  | { readonly uv: Float32Array }
  /** For meshes: one texel per triangle, row by row. */
  | 'triangles';

/** A picture of the impacts on a collider. */
export interface MapOptions {
  readonly width: number;
  readonly height: number;
  /** How several impacts in a texel combine: the last, their number, or their sum. */
  readonly combine: 'overwrite' | 'count' | 'sum';
  /** What the third channel holds or adds up; default 'speed'. */
  readonly of?: 'speed' | 'normalSpeed' | 'one' | undefined;
  readonly form?: MapForm | undefined;
}

/** What all colliders may have. */
export interface ColliderCommon {
  readonly name?: string | undefined;
  readonly motion?: RigidMotion | undefined;
  /** Default: the response of the system. */
  readonly response?: Response | undefined;
  /**
   * 'front': only particles that come from the side of the normal, or from where a quadric, a field or a mesh is
   * positive (outside).
   */
  readonly sides?: 'both' | 'front' | undefined;
  readonly map?: MapOptions | undefined;
  readonly data?: SurfaceData | undefined;
}

/** For surfaces with borders. */
export interface Bordered {
  /**
   * True if this is a piece of something larger that shares borders with others, such as a can's side and its lid. Its
   * borders then extend by as much as rounding may move a place, and no path gets through between pieces. Otherwise
   * borders end exactly where they end.
   */
  readonly sealed?: boolean | undefined;
}

/** A plane, or a part of it. */
export interface PlaneCollider extends ColliderCommon, Bordered {
  /** `right` is made perpendicular to the normal; any direction by default. up = normal × right. */
  readonly plane: {
    readonly point: Vector;
    readonly normal: Vector;
    readonly right?: Vector | undefined;
  };
  /** Default: the whole plane. */
  readonly within?: Outline | undefined;
  readonly bounds?: readonly Bound[] | undefined;
}

/** A sphere, or a part of it. */
export interface SphereCollider extends ColliderCommon, Bordered {
  readonly sphere: { readonly centre: Vector; readonly radius: number };
  readonly bounds?: readonly Bound[] | undefined;
  /** The low and high corner of a box, if only the part inside it counts. */
  readonly box?: readonly [Vector, Vector] | undefined;
}

/** A surface of second degree (Knott, equation 3.8), or a part of it. */
export interface QuadricCollider extends ColliderCommon, Bordered {
  /**
   * The points with (x y z 1) Q (x y z 1)ᵀ = 0: sixteen numbers of a symmetric matrix, or ten, A to J of
   * A·x² + B·y² + C·z² + 2(D·xy + E·xz + F·yz + G·x + H·y + I·z) + J = 0 (Knott, equation 3.8).
   */
  readonly quadric: Float64Array | readonly number[];
  readonly bounds?: readonly Bound[] | undefined;
  /** The low and high corner of a box, if only the part inside it counts. */
  readonly box?: readonly [Vector, Vector] | undefined;
}

/** A body of a scene, as it stands when the particles are made. */
export interface BodyCollider extends ColliderCommon {
  /** As it is when the particles are created. */
  readonly body: Body;
}

/** A mesh at a pose. */
export interface MeshCollider extends ColliderCommon {
  readonly mesh: Mesh;
  readonly pose?: Pose | undefined;
}

/** The surface where a distance field is 0. */
export interface FieldCollider extends ColliderCommon {
  /** The zero set of the trilinear interpolant of its samples, between its first and last samples. */
  readonly field: DistanceField;
  readonly pose?: Pose | undefined;
}

/** A surface of constant density around balls and capsules. */
export interface BlobsCollider extends ColliderCommon {
  /** The points with Σ weight·(1 − distance²/radius²)³ = level, over blobs no farther than their radius. */
  readonly blobs: readonly Blob[];
  /** Default 0.5. */
  readonly level?: number | undefined;
}

/** Something that particles hit. */
export type Collider =
  | PlaneCollider
  | SphereCollider
  | QuadricCollider
  | BodyCollider
  | MeshCollider
  | FieldCollider
  | BlobsCollider;
