// Exports for kernels.ts: the broad-phase kernels, and what TypeScript knows of their memory.

export { counterBytes, sortPairs } from '../../bvh/cpu/sort/sort.as';
export { broadScratchBytes, fewBodies, keepMeeting, runBroad, startBroad } from './broad.as';
export { Broad, broadBytes } from './layout.as';
