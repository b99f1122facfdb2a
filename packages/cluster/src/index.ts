// Many machines: a queue of tiles on PostgreSQL (pg-boss), their results in the same transactions, a store of models by
// content, and a register of what a team has decided. This package knows no mesh: what a tile is, the caller knows.

export { Cluster, type ClusterOptions, openCluster } from './cluster.ts';
export { type Decided, Register } from './register.ts';
export type { NewRun, NewTile, Run, RunStatus, Submitted, TileStatus } from './runs.ts';
export { FolderStore, type Store, StoreError } from './store.ts';
export type { Perform, Tile, WorkOptions } from './work.ts';
