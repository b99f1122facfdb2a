// Exports for kernels.ts: the kernels that find pairs of triangles of one body.

export { vertexNeighboursMeet } from '../leaves/triangles.as';
export { markFans } from './fans.as';
export { startSelf, traverseSelf } from './self.as';
export { runTasks } from './self-tasks.as';
