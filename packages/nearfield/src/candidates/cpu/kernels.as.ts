// Exports for kernels.ts: the broad-phase kernels and the offsets that TypeScript reads.

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
