export { type BoxesOptions, createBoxes } from './boxes.ts';
export { type BreakingOptions, createBreaking } from './breaking/breaking.ts';
export { welded } from './breaking/welded.ts';
export { type BunniesOptions, createBunnies } from './bunnies.ts';
export { type CityPart, cityParts } from './city.ts';
export { createFoldingCloth, type FoldingClothOptions } from './cloth/folding-cloth.ts';
export { type CreatureOptions, dragon } from './creatures/dragon.ts';
export { createCylinders } from './cylinders.ts';
export * as elementary from './elementary.ts';
export { gearboxMistakes, gearboxParts } from './gearbox/gearbox.ts';
export {
  createHail,
  type Drawn,
  type Hail,
  type HailOptions,
  type HailStep,
  hailParts,
  stoneRadius,
} from './hail/hail.ts';
export { brought, type Colour, carried, type HailPart, poseAt, turned } from './hail/parts.ts';
export { type Material, type MaterialName, type Mode, materials, plateShapes } from './hail/sound/modes.ts';
export { playSamples, type Speaker } from './hail/sound/play.ts';
export {
  type Channels,
  type Sounding,
  type Strike,
  Synthesiser,
  synthesise,
} from './hail/sound/synthesise.ts';
export { encodeWave } from './hail/sound/wave-file.ts';
export { createHeart } from './heart.ts';
export { type Arch, lowerArch, placeOn, upperArch } from './jaws/arch.ts';
export { type Bite, type BiteOptions, createJaws } from './jaws/bite.ts';
export { type Jaw, type JawOptions, type JawStage, type Jaws, jawParts, jawStages } from './jaws/jaws.ts';
export { createLeaves, type LeavesOptions } from './leaves/leaves.ts';
export { createRings, type RingsOptions } from './rings.ts';
export { createRotating, type RotatingOptions } from './rotating.ts';
export type { Found, Moving, Part, Sample, Step } from './sample.ts';
export type { DeformingOptions } from './soft/deforming.ts';
export { createTori } from './tori.ts';
