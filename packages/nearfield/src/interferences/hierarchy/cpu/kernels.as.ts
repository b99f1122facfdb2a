// Exports for kernels.ts: the kernels that find pairs of triangles, of two bodies or of one, and what TypeScript knows
// of their memory.

export { Job, jobBytes, jobLeafScratch, stackEntries, stackEntryBytes, stepRecords } from './job/job.as';
export { invertCandidates, mostOffers, offerBytes, runTasks, Tasks } from './job/tasks.as';
export { renewSerial } from './leaves/leaves.as';
export { trianglesMeet, vertexNeighboursMeet } from './leaves/triangles.as';
export { selfEntryBytes } from './open-self.as';
export { traversePairs } from './pairs.as';
export { markFans } from './self/fans.as';
export { startSelf, traverseSelf } from './self/self.as';
