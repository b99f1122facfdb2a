// `nearfield/particles`: particles whose lives are formulas, and every impact on what stands in their way.

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
} from '../particles/colliders/shapes.ts';
export type { CpuParticles } from '../particles/cpu-particles.ts';
export type { Impacts } from '../particles/impacts.ts';
export { particles, particlesSync } from '../particles/make.ts';
export type { ImpactMap } from '../particles/maps/map.ts';
export type {
  Impact,
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
} from '../particles/options.ts';
export type { CommandEncoder, Particles, SeekOptions } from '../particles/particles.ts';
