// Asks which bodies of an assembly interfere, and writes the answer as JSON and as a report; also exports the
// pictures of the report. This package is not published: the command line and the studio bundle it.

export {
  type AssemblyAnswer,
  type AssemblyBody,
  type AssemblyFrame,
  type AssemblyPair,
  type AssemblyQuestion,
  askAssembly,
  type GivenBody as PlacedBody,
  type Motion,
  naming,
} from './assembly.ts';
export { assemblyReport, titleOf } from './assembly-report.ts';
export { cross, fitPoints, normalise, type Vector } from './draw/camera.ts';
export { cornerNormals } from './draw/normals.ts';
export { drawPoster } from './draw/poster.ts';
export type { Color, Surface } from './draw/rasterise.ts';
export { render } from './draw/shade.ts';
export type { PictureSize } from './draw/view.ts';
export { jsonText, visible } from './escape.ts';
export { assemblyJson, indexPairs, list } from './json.ts';
export { labelsOf } from './labels.ts';
export { notSolid } from './solids.ts';
export { listing } from './types.ts';
