// Generated shapes for tests, samples and benchmarks. Each takes one optional options object and returns a validated
// mesh in doubles. Closed shapes share their vertices, also at poles and seams, and face outwards.
// The same options give the same bits in every JavaScript engine, because the code uses no function whose last digits
// the language leaves open. Its sine, cosine and so on are exported, so that your own shapes can be the same
// everywhere.

export { type Section, SolidBuilder } from './builder.ts';
export { type ClothOptions, cloth } from './cloth.ts';
export {
  arccosine,
  arctangent,
  cosine,
  cubeRoot,
  exponential,
  logarithm,
  sine,
  unitAt,
} from './elementary.ts';
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
