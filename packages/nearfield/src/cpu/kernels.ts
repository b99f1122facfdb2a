// Loads the kernels (kernels.as.ts) and states their signatures. Addresses and sizes are in bytes.

import bytes from './kernels.wasm';
import { KernelMemory } from './memory.ts';

/** What a kernel that can stop returns: finished, an output is too small, the budget is spent. */
export const done = 0;
export const full = 1;
export const paused = 2;

/** The kernels' functions, as kernels.as.ts exports them. */
export interface KernelFunctions {
  buildScratchBytes(triangleCount: number, vertexCount: number): number;
  buildTree(tree: number, indices: number, scratch: number): void;
  /** The steps of a build, in this order; ranges of triangles, of slots and of leaves. */
  frameVertices(tree: number, scratch: number): void;
  placeCentres(tree: number, indices: number, scratch: number, first: number, end: number): void;
  splitCentres(
    tree: number,
    scratch: number,
    first: number,
    count: number,
    capacity: number,
    deep: boolean,
  ): void;
  takeOrder(tree: number, indices: number, scratch: number, first: number, end: number): void;
  fitLeaves(tree: number, scratch: number, begin: number, end: number, before: number): number;
  fitLevels(tree: number, areas: number): void;
  fitScratchBytes(vertexCount: number): number;
  refitTree(tree: number, scratch: number): void;
  /** Where a node's box lies: six floats, each four after the last. */
  boxAt(tree: number, level: number, node: number): number;
  layTree(tree: number, triangleCount: number, vertexCount: number, doubles: number): void;
  treeBytes(triangleCount: number, vertexCount: number, doubles: number): number;
  weldLeaves(tree: number, identities: number): void;
  markFans(tree: number, words: number, scratch: number): void;
  sortPairs(from: number, other: number, counters: number, count: number, bits: number): number;
  sortRecords(records: number, other: number, scratch: number, count: number): void;
  groupRecords(
    records: number,
    other: number,
    scratch: number,
    count: number,
    groups: number,
    start: number,
  ): number;
  walkBoxQuery(body: number, box: number, scratch: number, out: number, capacity: number): number;
  walkRayQuery(
    body: number,
    ray: number,
    slack: number,
    scratch: number,
    out: number,
    capacity: number,
  ): number;
  broadScratchBytes(bodyCount: number): number;
  startBroad(broad: number, scratch: number): void;
  runBroad(broad: number): number;
  keepMeeting(boxes: number, pairs: number, count: number): number;
  firstUncommonPose(poses: number, first: number, end: number): number;
  boundBodies(poses: number, trees: number, boxes: number, first: number, end: number): number;
  placePairs(
    table: number,
    poses: number,
    trees: number,
    slots: number,
    rows: number,
    pairs: number,
    count: number,
    out: number,
  ): void;
  placeBody(body: number, pose: number, tree: number): void;
  traversePairs(job: number, budget: number): number;
  traverseLevels(job: number, budget: number): number;
  renewSerial(job: number): void;
  invertCandidates(job: number, first: number): void;
  widenStack(job: number, self: boolean): void;
  runTasks(job: number, tasks: number, budget: number): number;
  startSelf(job: number): void;
  traverseSelf(job: number, budget: number): number;
  /** Of the mesh's own coordinates: no less than the distance, within 2^-46 (closest.as.ts has the bounds). */
  closestOnTree(tree: number, x: number, y: number, z: number, bound: number, scratch: number): number;
  closestPoints(job: number, budget: number): number;
  runDistance(job: number, budget: number): number;
  carve(model: number, x: number, y: number, z: number): number;
  convexExcess(
    tree: number,
    sign: number,
    tolerance: number,
    from: number,
    count: number,
    work: number,
  ): number;
  deepest(model: number, budget: number, box: number): void;
  depthOf(model: number, x: number, y: number, z: number, inB: boolean): number;
  growBall(model: number, x: number, y: number, z: number): number;
  sampleInside(model: number, budget: number, out: number): number;
  support(tree: number, dx: number, dy: number, dz: number, beyond: number, work: number): number;
  sweep(model: number, dx: number, dy: number, dz: number, from: number, enough: number, out: boolean): void;
  /** 0 certainly apart, 1 certainly meeting, 2 unsure; nine doubles each. */
  trianglesMeet(a: number, b: number): number;
  vertexNeighboursMeet(apex: number, a1: number, a2: number, b1: number, b2: number): number;
}

/** Offsets and sizes, by the names they have in the `.as.ts` files. */
const layoutNames = [
  'treeHeaderBytes',
  'treeLeafCount',
  'treeOrder',
  'treePositions',
  'treeSpread',
  'treeTriangles',
  'treeWeld',
  'weldBytes',
  'counterBytes',
  'recordScratchBytes',
  'walkBytes',
  'broadBodyCount',
  'broadOpened',
  'broadUsedCount',
  'broadBytes',
  'broadOrderCount',
  'fewBodies',
  'broadPairCapacity',
  'broadPairCount',
  'broadPairs',
  'broadBoxes',
  'jobApart',
  'jobBoxTests',
  'jobBytes',
  'jobCandidate',
  'jobCandidateCount',
  'jobCandidates',
  'jobCertain',
  'jobCertainCapacity',
  'jobCertainCount',
  'jobCounts',
  'jobLeafScratch',
  'jobLevel',
  'jobLevelCapacity',
  'jobLevelCount',
  'jobMode',
  'jobNextCount',
  'jobNextLevel',
  'jobSerial',
  'jobStack',
  'jobStackCount',
  'jobTable',
  'jobTraversal',
  'jobTriangleTests',
  'jobUnsure',
  'jobUnsureCapacity',
  'jobUnsureCount',
  'openedPairs',
  'stackEntries',
  'stackEntryBytes',
  'stepRecords',
  'bodyBytes',
  'worldBoxBytes',
  'taskBytes',
  'taskCandidate',
  'taskEntries',
  'taskEntryCount',
  'taskNext',
  'taskSelf',
  'taskStop',
  'poseBytes',
  'candidateBytes',
  'closestBytes',
  'closestFeature',
  'closestHigh',
  'closestLow',
  'closestSlot',
  'noTriangle',
  'pointAnswerBytes',
  'pointsAnswers',
  'pointsAt',
  'pointsBody',
  'pointsBytes',
  'pointsCandidateCapacity',
  'pointsCandidateCount',
  'pointsCandidates',
  'pointsCount',
  'pointsGiven',
  'pointsNext',
  'pointsRounded',
  'pointsSingle',
  'pointsBounds',
  'pointsSlots',
  'pointsUnsure',
  'pointsUnsureCapacity',
  'pointsUnsureCount',
  'pointsUpTo',
  'unsureTriangle',
  'distanceA',
  'distanceB',
  'distanceBest',
  'distanceBoxTests',
  'distanceBytes',
  'distanceEntries',
  'distanceEntryBytes',
  'distanceList',
  'distanceListCapacity',
  'distanceListCount',
  'distanceMeets',
  'distanceRecordBytes',
  'distanceSettled',
  'settledDistance',
  'settledPointA',
  'settledPointB',
  'settledTriangleA',
  'settledTriangleB',
  'distanceStack',
  'distanceStarted',
  'distanceStopAtMeeting',
  'distanceTriangleTests',
  'recordSlots',
  'carvePlanes',
  'deepestSum',
  'modelBytes',
  'modelInverse',
  'modelR',
  'modelStretch',
  'modelT',
  'modelTreeA',
  'modelTreeB',
  'modelWork',
  'sweepFound',
  'sweepNormal',
  'sweepTime',
  'treeCentre',
  'treeHalf',
  'treeReach',
  'treeScale',
] as const;

export type Layout = Readonly<Record<(typeof layoutNames)[number], number>>;

export interface Kernels {
  readonly call: KernelFunctions;
  readonly layout: Layout;
  readonly memory: KernelMemory;
  /** What another thread needs to work in the same memory; only where memory can be shared. */
  readonly module: WebAssembly.Module | undefined;
}

/** Node shares memory freely; a page only if it is isolated from other origins, which a server's headers decide. */
const canShare = (): boolean =>
  typeof SharedArrayBuffer !== 'undefined' &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

const compiled: Partial<Record<'shared' | 'own', Promise<WebAssembly.Module> | undefined>> = {};

/** Compiled once. A failure is not kept: the next call tries again. */
async function compile(kind: 'shared' | 'own'): Promise<WebAssembly.Module> {
  compiled[kind] ??= WebAssembly.compile(kind === 'shared' ? withSharedMemory(bytes) : bytes);
  try {
    return await compiled[kind];
  } catch (error) {
    compiled[kind] = undefined;
    throw error;
  }
}

/** A fresh instance with its own memory. */
export async function createKernels(shared = canShare()): Promise<Kernels> {
  const module = await compile(shared ? 'shared' : 'own');
  const memory = new KernelMemory(shared);
  const instance = await WebAssembly.instantiate(module, { env: { memory: memory.memory } });
  const number = (name: string): number => (instance.exports[name] as WebAssembly.Global).value as number;
  // The kernels keep no static data; the first kilobyte is left alone so that no address is 0.
  memory.start(1024);
  const layout = Object.fromEntries(layoutNames.map(name => [name, number(name)])) as unknown as Layout;
  const call = instance.exports as unknown as KernelFunctions;
  return { call, layout, memory, module: shared ? module : undefined };
}

/**
 * The same module importing a shared memory: one bit in the limits of its import (WebAssembly core, binary format of
 * memory types: 1 has a maximum, 3 is shared as well).
 */
function withSharedMemory(module: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = (word: string) => [word.length, ...new TextEncoder().encode(word)];
  const entry = [...text('env'), ...text('memory'), 2, 1];
  const patched = module.slice();
  const at = patched.findIndex((_, i) => entry.every((byte, k) => patched[i + k] === byte));
  if (at < 0) throw new Error('the kernels do not import their memory as expected');
  patched[at + entry.length - 1] = 3;
  return patched;
}
