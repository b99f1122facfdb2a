// From meshes to decisions: which bodies of an assembly clash under which rules, what is new since a baseline, what people
// said about it, and the answer as tables, JSON, reports and exchange formats. This package is not published: the command
// line and the studio bundle it, and what neither of them uses is not exported.

export { naming, type Stage } from './assembly/assembly.ts';
export { type CheckAnswer, type CheckQuestion, checkAssembly } from './assembly/check.ts';
export { notSolid } from './assembly/solids.ts';
export type {
  AssemblyAnswer,
  AssemblyPair,
  Change,
  GivenBody as PlacedBody,
  GivenFile,
  Gone,
  MatrixCell,
  Motion,
  SamplingBounds,
  Verdict,
} from './assembly/types.ts';
export { commonUnit, scaledPose } from './assembly/units.ts';
export { assemblyBcf, type BcfVersion } from './exchange/bcf/bcf.ts';
export { bcfViews } from './exchange/bcf/view.ts';
export { assemblyCsv } from './exchange/csv.ts';
export { assemblyGlb } from './exchange/glb.ts';
export { assemblyJson, indexPairs, list } from './exchange/json.ts';
export { assemblyJunit } from './exchange/junit.ts';
export type { GroupBy } from './groups/group.ts';
export { type Baseline, parseBaseline } from './history/baseline.ts';
export { updateStatuses } from './history/statuses/apply.ts';
export { mergeStatuses } from './history/statuses/merge.ts';
export {
  noStatuses,
  parseStatuses,
  renderStatuses,
  type StatusEntry,
  type Statuses,
  statusWords,
} from './history/statuses/statuses.ts';
export { assemblyReport, reportInput, titleOf } from './report/assembly-report.ts';
export { cross, fitPoints, normalise, type Vector } from './report/draw/camera.ts';
export { cornerNormals } from './report/draw/normals.ts';
export type { Color, Surface } from './report/draw/rasterise.ts';
export { render } from './report/draw/shade.ts';
export type { PictureSize } from './report/draw/view.ts';
export { listing } from './report/types.ts';
export { between } from './rules/between.ts';
export { parseRules } from './rules/parse.ts';
export { lengthIn } from './rules/resolve.ts';
export type { AllowedBodies, Rules } from './rules/types.ts';
export { isFailing } from './severity/failing.ts';
export { mostUnasked } from './severity/judge.ts';
export { compareImportance, isUnconfirmed, verdictOf } from './severity/order.ts';
export { type PairOverFrames, pairsOverFrames, worstPairs } from './severity/worst-frame.ts';
export { jsonText, visible } from './text/escape.ts';
export { labelsOf } from './text/labels.ts';
export { bracketInWords, lengthBelow, lengthInWords, spans } from './text/sentences.ts';
