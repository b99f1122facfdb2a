// Exports for kernels.ts: the kernels that find pairs of triangles, of two bodies, and what TypeScript knows of their
// memory. Those of one body are in self/.

export { levelShift } from '../../../bvh/cpu/walk/node-word.as';
export {
  bothOutside,
  firstOutside,
  isApart,
  Job,
  jobBytes,
  jobLeafScratch,
  knownCrossing,
  oneSidedPair,
  secondOutside,
  stackEntries,
  stackEntryBytes,
  stepRecords,
} from './job/job.as';
export { runTasks } from './job/pair-tasks.as';
export { mostOffers, offerBytes, Tasks } from './job/tasks.as';
export { renewSerial } from './leaves/leaves.as';
export { trianglesMeet } from './leaves/triangles.as';
export { selfEntryBytes } from './open-self.as';
export { traversePairs } from './pairs.as';
