// From meshes to decisions: which bodies of an assembly clash under which rules, what is new since a baseline, what people
// said about it, and the answer as tables, JSON, reports and exchange formats. This package is not published: the command
// line and the studio bundle it, and what neither of them uses is not exported.

export { type AssemblyQuestion, naming, type PairRules, type Stage } from './assembly/assembly.ts';
export { type CheckAnswer, type CheckQuestion, checkAssembly, pairRulesOf } from './assembly/check.ts';
export { type AskInterferences, findPairs } from './assembly/find-pairs.ts';
export { isShort } from './assembly/pair-fields.ts';
export { notSolid } from './assembly/solids.ts';
export type {
  AssemblyAnswer,
  AssemblyBody,
  AssemblyPair,
  Bracket,
  Change,
  FoundPair,
  FoundPairs,
  GivenBody as PlacedBody,
  GivenFile,
  Gone,
  MatrixCell,
  Motion,
  SamplingBounds,
  Severity,
  Status,
  Verdict,
} from './assembly/types.ts';
export { type Conversion, commonUnit, convertedPose, scaledPose } from './assembly/units.ts';
export { assemblyBcf, type BcfVersion } from './exchange/bcf/bcf.ts';
export { bcfViews } from './exchange/bcf/view.ts';
export { assemblyCsv } from './exchange/csv.ts';
export { assemblyGlb, glbVisits } from './exchange/glb.ts';
export { assemblyJson, indexPairs, list } from './exchange/json.ts';
export { assemblyJunit } from './exchange/junit.ts';
export { groupByPart } from './groups/by-part.ts';
export { groupByPlace } from './groups/by-place.ts';
export { groupByTest } from './groups/by-test.ts';
export type { GroupBy } from './groups/group.ts';
export { type Baseline, parseBaseline } from './history/baseline.ts';
export { applyStatuses, geometryHash, updateStatuses } from './history/statuses/apply.ts';
export { mergeStatuses } from './history/statuses/merge.ts';
export {
  noStatuses,
  parseStatuses,
  renderStatuses,
  renderSteps,
  type StatusEntry,
  type Statuses,
  statusWords,
} from './history/statuses/statuses.ts';
export { clashIds, identify } from './identity/clash-id.ts';
export { fingerprintOf, questionHash } from './identity/fingerprint.ts';
export { type Digest, hexOf, sha256 } from './identity/sha256.ts';
export {
  type Approach,
  type Contact,
  followMotion,
  type MotionAnswer,
} from './motion/follow.ts';
export { type FramePaths, jointFrames, poseFrames } from './motion/paths.ts';
export {
  type JointFrames,
  type PlacedRobot,
  parseJointFrames,
  parseJoints,
  posesAt,
} from './poses/parse-joints.ts';
export { type Named, parsePoses } from './poses/parse-poses.ts';
export { assemblyReport, reportInput, titleOf } from './report/assembly-report.ts';
export { cross, fitPoints, normalise, type Vector } from './report/draw/camera.ts';
export { segmentSteps } from './report/draw/contact.ts';
export { cornerNormals, normalSteps } from './report/draw/normals.ts';
export { type PairView, pairViewSteps } from './report/draw/picture.ts';
export { drawPoster } from './report/draw/poster.ts';
export type { Color, Surface } from './report/draw/rasterise.ts';
export { render } from './report/draw/shade.ts';
export type { PictureSize } from './report/draw/view.ts';
export { listing, type PictureBody, type PicturePair } from './report/types.ts';
export { between } from './rules/between.ts';
export { parseRules, relations } from './rules/parse.ts';
export { lengthIn, ResolvedRules, resolveRules } from './rules/resolve.ts';
export type { AllowedBodies, Decision, Rules } from './rules/types.ts';
export { isClash, isFailing } from './severity/failing.ts';
export {
  type DeepPair,
  judge,
  mostUnasked,
  type OpenPair,
  type PlacedBodies,
  settle,
  weigh,
} from './severity/judge.ts';
export {
  byImportance,
  compareImportance,
  isUnconfirmed,
  verdictOf,
  verdictOrder,
  verdictWords,
} from './severity/order.ts';
export { type PairOverFrames, pairsOverFrames, worstPairs } from './severity/worst-frame.ts';
export { findInTile, findShard, partOf, type Shard, type ShardNumber, tilesOf } from './shards/find.ts';
export { FrameFinder } from './shards/frame-finder.ts';
export { checkInParts } from './shards/in-parts.ts';
export { askedOf, checkFiles, mergeFound } from './shards/merge.ts';
export { makespan } from './shards/schedule.ts';
export { type AskedOfShards, readAsked, readShard, type ShardFile, shardJson } from './shards/shard-json.ts';
export type { Tile } from './shards/tiles.ts';
export { refuseIfShardIsTooLarge } from './shards/tree-room.ts';
export { finishInTurns, otherTasks, Pauses, shareOf, sortVisits } from './steps/pauses.ts';
export { finish } from './steps/steps.ts';
export { jsonText, visible } from './text/escape.ts';
export { JsonReader } from './text/json-reader.ts';
export { labelsOf } from './text/labels.ts';
export { bracketInWords, lengthAbove, lengthBelow, lengthInWords, spans } from './text/sentences.ts';
