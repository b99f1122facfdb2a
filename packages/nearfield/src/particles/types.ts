// The types of the question about particles, as `nearfield` and `nearfield/particles` export them.

export type {
  Blob as ParticleBlob,
  BlobsCollider,
  BodyCollider,
  Bound,
  Collider,
  ColliderCommon,
  FieldCollider,
  Loop,
  MapForm,
  MapOptions,
  MeshCollider,
  Outline,
  PlaneCollider,
  QuadricCollider,
  Range,
  Response as ImpactResponse,
  RigidMotion,
  SphereCollider,
  SurfaceData,
  Vector,
} from './colliders/shapes.ts';
export type { CpuParticles } from './cpu-particles.ts';
export type { ImpactMap } from './maps/map.ts';
export type {
  Force as ParticleForce,
  ForceField,
  ForceProgram,
  Impact,
  ImpactOptions,
  ImpactStats,
  Outcome,
  ParticleOptions,
  ParticleState,
  ParticleStats,
  Region,
  StartArrays,
  StartRule,
  SteppedMotion,
  Vary,
} from './options.ts';
export type { CommandEncoder, Particles, SeekOptions } from './particles.ts';
export type { ImpactArrays } from './windows/arrays.ts';
export type { Impacts } from './windows/impacts.ts';
