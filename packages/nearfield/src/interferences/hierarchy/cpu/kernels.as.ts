// Exports for kernels.ts: the kernels that find pairs of triangles, of two bodies or of one, and the offsets that
// TypeScript reads.

export {
  jobApart,
  jobBoxTests,
  jobBytes,
  jobCandidate,
  jobCandidateCount,
  jobCandidates,
  jobCertain,
  jobCertainCapacity,
  jobCertainCount,
  jobCounts,
  jobLeafScratch,
  jobLevel,
  jobLevelCapacity,
  jobLevelCount,
  jobMode,
  jobNextCount,
  jobNextLevel,
  jobSerial,
  jobStack,
  jobStackCount,
  jobTable,
  jobTraversal,
  jobTriangleTests,
  jobUnsure,
  jobUnsureCapacity,
  jobUnsureCount,
  stackEntries,
  stackEntryBytes,
  stepRecords,
} from './job/job.as';
export {
  invertCandidates,
  runTasks,
  taskBytes,
  taskCandidate,
  taskEntries,
  taskEntryCount,
  taskNext,
  taskSelf,
  taskStop,
  widenStack,
} from './job/tasks.as';
export { renewSerial } from './leaves/leaves.as';
export { trianglesMeet, vertexNeighboursMeet } from './leaves/triangles.as';
export { openedPairs, traverseLevels } from './levels.as';
export { traversePairs } from './pairs.as';
export { markFans } from './self/fans.as';
export { startSelf, traverseSelf } from './self/self.as';
