// Asks which bodies of an assembly interfere, and writes the answer as JSON and as a report; also exports the
// pictures of the report. This package is not published: the command line and the studio bundle it.

export {
  type AssemblyQuestion,
  askAssembly,
  naming,
  type PairRules,
  type Stage,
} from './assembly/assembly.ts';
export { type CheckAnswer, type CheckQuestion, checkAssembly } from './assembly/check.ts';
export { notSolid } from './assembly/solids.ts';
export type {
  AssemblyAnswer,
  AssemblyBody,
  AssemblyFrame,
  AssemblyPair,
  Bracket,
  Change,
  ClashStatus,
  GivenBody as PlacedBody,
  GivenFile,
  Gone,
  Group,
  History,
  Matrix,
  Motion,
  Severity,
  Verdict,
} from './assembly/types.ts';
export { type CommonUnit, commonUnit, type FileUnit, scaledPose } from './assembly/units.ts';
export { assemblyCsv } from './exchange/csv.ts';
export { assemblyJson, indexPairs, list } from './exchange/json.ts';
export { assemblyJunit } from './exchange/junit.ts';
export type { GroupBy } from './groups/group.ts';
export { updateStatuses } from './history/apply-statuses.ts';
export { type Baseline, parseBaseline } from './history/baseline.ts';
export { mergeStatuses } from './history/merge-statuses.ts';
export {
  noStatuses,
  parseStatuses,
  renderStatuses,
  type StatusEntry,
  type Statuses,
} from './history/statuses.ts';
export { assemblyReport, titleOf } from './report/assembly-report.ts';
export { cross, fitPoints, normalise, type Vector } from './report/draw/camera.ts';
export { cornerNormals } from './report/draw/normals.ts';
export { drawPoster } from './report/draw/poster.ts';
export type { Color, Surface } from './report/draw/rasterise.ts';
export { render } from './report/draw/shade.ts';
export type { PictureSize } from './report/draw/view.ts';
export { listing } from './report/types.ts';
export { between } from './rules/between.ts';
export { parseRules } from './rules/parse.ts';
export type { AllowedBodies, Decision, Rules } from './rules/types.ts';
export { isFailing } from './severity/failing.ts';
export { byImportance, verdictOf, verdictOrder, verdictWords } from './severity/order.ts';
export { jsonText, visible } from './text/escape.ts';
export { labelsOf } from './text/labels.ts';
export { bracketInWords, lengthInWords, pairInWords } from './text/sentences.ts';
