// What particles may hit, as applications describe it (Knott, section 3.2: planes with constraints and quadrics; beyond
// it meshes, distance fields, implicit blobs, and all of them moving). Types only; compile.ts checks and compiles them.

import type { Body } from '../../bodies/body.ts';
import type { Pose } from '../../math/pose.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { DistanceField } from '../../sampled/field/field.ts';

/** x, y and z, in the user's units; velocities per second. */
export type Vector = readonly [number, number, number];
/** The least and the greatest value. */
export type Range = readonly [low: number, high: number];

/**
 * A part of a plane, in its (right, up) axes about its point. Borders belong to it. Holes are removed, but their
 * borders belong to it.
 */
export type Outline =
  | {
      /** The radius of a disc about the point. */
      readonly disc: number;
    }
  | {
      /** Half the width and half the height. */
      readonly rectangle: Range;
    }
  | {
      /** The inner and the outer radius. */
      readonly ring: Range;
    }
  | {
      /** Corners in order, in either direction; two numbers per corner. */
      readonly polygon: Loop;
      /** Polygons that are cut out; default none. */
      readonly holes?: readonly Loop[] | undefined;
    };
/** Corners of a polygon in the plane, two numbers per corner. */
export type Loop = readonly (readonly [number, number])[];

/** The half-space normal·p ≤ offset, or a ball: only the part of a collider within it counts. Moves with its collider. */
export type Bound =
  | {
      /** Points out of the half-space; any length but 0. */
      readonly normal: Vector;
      /** The greatest normal·p, for the normal as given. */
      readonly offset: number;
    }
  | {
      /** A ball, border included. */
      readonly ball: {
        /** The ball's centre in the world. */
        readonly centre: Vector;
        /** A length above 0. */
        readonly radius: number;
      };
      /** True if what lies outside the ball counts; default false. */
      readonly outside?: boolean | undefined;
    };

/** A soft ball of an implicit surface, or a ball swept along a segment (a skeletal surface). */
export type Blob =
  | {
      /** The ball's centre in the world. */
      readonly at: Vector;
      /** How far it reaches, above 0. */
      readonly radius: number;
      /** Its share of the density, not 0; negative to take away. Default 1. */
      readonly weight?: number | undefined;
    }
  | {
      /** One end of the segment in the world. */
      readonly from: Vector;
      /** The other end of the segment. */
      readonly to: Vector;
      /** How far it reaches from the segment, above 0. */
      readonly radius: number;
      /** Its share of the density, not 0; negative to take away. Default 1. */
      readonly weight?: number | undefined;
    };

/**
 * A rigid motion in closed form. The collider is given as it is at the time `at`. It turns about `pivot` by turn·(t −
 * at), and moves by velocity·(t − at) + ½ acceleration·(t − at)², its pivot with it.
 */
export interface RigidMotion {
  /** Length per second; default 0 0 0. */
  readonly velocity?: Vector | undefined;
  /** Length per second squared; default 0 0 0. */
  readonly acceleration?: Vector | undefined;
  /** The world point that it turns about; default 0 0 0. */
  readonly pivot?: Vector | undefined;
  /** Axis times radians per second; default 0 0 0. */
  readonly turn?: Vector | undefined;
  /** The time at which it is where it was given, in seconds; default 0. */
  readonly at?: number | undefined;
}

/** What happens to a particle that hits. */
export type Response =
  | {
      /** Its life ends there. */
      readonly kind: 'vanish';
    }
  | {
      /** It flies on from there, or comes to rest. */
      readonly kind: 'bounce';
      /** The share of the normal speed that is kept, 0 to 1; default 0.5. */
      readonly restitution?: number | undefined;
      /** Coulomb's coefficient, at least 0; default 0. */
      readonly friction?: number | undefined;
      /**
       * A particle whose rebound is slower than this along the normal (length per second) rests, and rides on the collider to the end of
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
  | {
      /** Texels per row, over the map's parameter u: 1 to 65,535. */
      readonly width: number;
      /** Rows, over the map's parameter v: 1 to 65,535. */
      readonly height: number;
      /** Numbers per texel: 1 to 65,535. */
      readonly channels: number;
      /** width·height·channels numbers, row by row, v upwards. */
      readonly values: Float32Array;
      /** Between texels: the nearest (default), or linear. */
      readonly interpolate?: 'nearest' | 'linear' | undefined;
    }
  | {
      /** For meshes: `channels` numbers per triangle. */
      readonly triangles: Float32Array;
      /** Numbers per triangle: 1 to 65,535. */
      readonly channels: number;
    }
  | {
      /** For meshes: `channels` numbers per vertex, interpolated within triangles. */
      readonly vertices: Float32Array;
      /** Numbers per vertex: 1 to 65,535. */
      readonly channels: number;
    };

/** How a surface is unrolled into the unit square. */
export type MapForm =
  /** For planes: the box of the outline, linearly: a texel is M/p × N/q of M × N. */
  | 'plane'
  /** For spheres: longitude and height. Every texel has the same area. */
  | 'equal-area'
  | {
      /** Seen along an axis: the other two coordinates over the collider's own box. */
      readonly planar: 'x' | 'y' | 'z';
    }
  | {
      /** Around an axis through the middle of the collider's own box: angle, then height over the box. */
      readonly cylindrical: 'x' | 'y' | 'z';
    }
  | {
      /** For meshes: two numbers per corner of each triangle, 0 to 1. */
      readonly uv: Float32Array;
    }
  /** For meshes: one texel per triangle, row by row. */
  | 'triangles';

/** A picture of the impacts on a collider. */
export interface MapOptions {
  /** Texels per row, over the parameter u: 1 to 8192. */
  readonly width: number;
  /** Rows, over the parameter v: 1 to 8192. */
  readonly height: number;
  /** How several impacts in a texel combine: the last, their number, or their sum. */
  readonly combine: 'overwrite' | 'count' | 'sum';
  /** What the third channel holds or adds up; default 'speed'. */
  readonly of?: 'speed' | 'normalSpeed' | 'one' | undefined;
  /**
   * 'double' (default): painted by the CPU from the impacts as doubles, the same on every backend. 'single': painted by
   * the GPU where there is one, from its own numbers in single precision; nothing is read back until `ImpactMap.read`.
   */
  readonly precision?: 'double' | 'single' | undefined;
  /** Default: 'plane' for planes, 'equal-area' for spheres, 'triangles' for meshes, else cylindrical about z. */
  readonly form?: MapForm | undefined;
}

/** What all colliders may have. */
export interface ColliderCommon {
  /** Used in error messages; default `collider` and the index. */
  readonly name?: string | undefined;
  /** Default: it stands still. */
  readonly motion?: RigidMotion | undefined;
  /** Default: the response of the system. */
  readonly response?: Response | undefined;
  /**
   * 'both' (default). 'front': only particles that come from the side of the normal, or from where a quadric, a field or
   * a mesh is positive (outside).
   */
  readonly sides?: 'both' | 'front' | undefined;
  /** Asks for a map of the impacts, which `Particles.map` gives; default none. */
  readonly map?: MapOptions | undefined;
  /** The application's own numbers, which come back with impacts; default none. */
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
  /** The plane, with axes for its outline and its map: up = normal × right. */
  readonly plane: {
    /** A point of the plane, from which outlines are measured. */
    readonly point: Vector;
    /** Towards its front; any length but 0. */
    readonly normal: Vector;
    /** Made perpendicular to the normal; any direction by default. */
    readonly right?: Vector | undefined;
  };
  /** Default: the whole plane. */
  readonly within?: Outline | undefined;
  /** Only the part within all of these counts; default all of it. */
  readonly bounds?: readonly Bound[] | undefined;
}

/** A sphere, or a part of it. */
export interface SphereCollider extends ColliderCommon, Bordered {
  /** The sphere. Its front is its outside. */
  readonly sphere: {
    /** The sphere's centre in the world. */
    readonly centre: Vector;
    /** A length above 0. */
    readonly radius: number;
  };
  /** Only the part within all of these counts; default all of it. */
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
  /** Only the part within all of these counts; default all of it. */
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
  /** The mesh, open or closed. */
  readonly mesh: Mesh;
  /** Local to world, column-major; default the identity. */
  readonly pose?: Pose | undefined;
}

/** The surface where a distance field is 0. */
export interface FieldCollider extends ColliderCommon {
  /** The zero set of the trilinear interpolant of its samples, between its first and last samples. */
  readonly field: DistanceField;
  /** The field's own coordinates to the world, column-major; default the identity. */
  readonly pose?: Pose | undefined;
}

/** A surface of constant density around balls and capsules. */
export interface BlobsCollider extends ColliderCommon {
  /** The points with Σ weight·(1 − distance²/radius²)³ = level, over blobs no farther than their radius. */
  readonly blobs: readonly Blob[];
  /** The density of the surface, above 0; default 0.5. */
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
