// The broad phase: what TypeScript calls (kernels.ts) and the offsets it reads.

export { counterBytes, sortPairs } from '../../bvh/cpu/sort/sort.as';
export { broadScratchBytes, fewBodies, keepMeeting, runBroad, startBroad } from './broad.as';
export {
  broadBodyCount,
  broadBoxes,
  broadBytes,
  broadOpened,
  broadOrderCount,
  broadPairCapacity,
  broadPairCount,
  broadPairs,
  broadUsedCount,
} from './layout.as';
