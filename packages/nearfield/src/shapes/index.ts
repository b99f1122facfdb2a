// Generated shapes for tests, samples and benchmarks. Each function takes one options object, works without it, and
// returns a validated mesh in doubles. Closed meshes share their vertices, poles and seams included, and face
// outwards.
//
// The same options give the same bits in every JavaScript engine: no function is used here whose last digits the
// language leaves open (math/elementary/).

export { type Section, SolidBuilder } from './builder.ts';
export { type ClothOptions, cloth } from './cloth.ts';
export { type GearOptions, gear, gearOutline, gearRadii, keyedCircle } from './gear.ts';
export {
  type DisplacedSphereOptions,
  displacedSphere,
  type IcosphereOptions,
  icosphere,
} from './icosphere.ts';
export { type TorusKnotOptions, torusKnot } from './knot.ts';
export { createNoise, type Noise } from './noise.ts';
export {
  type BoxOptions,
  box,
  type ExtrudeOptions,
  extrude,
  type HexBoltOptions,
  type HexNutOptions,
  hexBolt,
  hexNut,
  type PlateOptions,
  plate,
} from './plates.ts';
export { createRandom, type Random } from './random.ts';
export {
  type CylinderOptions,
  cylinder,
  type RevolveOptions,
  revolve,
  type TorusOptions,
  type TubeOptions,
  torus,
  tube,
  type UvSphereOptions,
  uvSphere,
} from './revolve.ts';
export {
  type CircleOptions,
  circle,
  hull,
  type Loop,
  type Point2,
  rectangle,
} from './triangulation/loops.ts';
