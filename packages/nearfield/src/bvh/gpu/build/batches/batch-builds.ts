// Builds, refits or stores the shapes of a batch together: vertices made local, triangles sorted along a Hilbert curve unless their order
// is kept, and one reduction per few levels. Shapes without trees are stored in the order of their mesh.

import { Launch, Resources } from '../../../../gpu/kernel.ts';
import { RadixSort } from '../../../../gpu/sort/radix-sort.ts';
import { createStoreKernels, type StoreKernels, type TreeKernels } from '../kernels.ts';
import { chunkRounds, type Round, type Sized, storeRounds } from './batches.ts';
import { BatchParameters } from './tree-builds.ts';

/** A batch as its kernels read it. */
export interface Described {
  readonly triangleCount: number;
  readonly vertexCount: number;
  /** Bits per axis of the keys by which triangles are sorted; undefined if their order is kept. */
  readonly cellBits: number | undefined;
  readonly treeless: boolean;
  readonly rounds: readonly Round[];
  readonly chunks: GPUBuffer;
}

export class BatchBuilds {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  readonly #sort: RadixSort;
  readonly #parameters: BatchParameters;
  readonly #roundResources: Resources[] = [];
  readonly #launches: Record<'store' | 'keys' | 'gatherSorted' | 'gatherKept', Launch>;
  readonly #reduce: Launch[] = [];
  /** Store shapes without trees. Compiled by the first question that needs no trees. */
  #storeLeaves: Launch | undefined;
  #joinChunks: Launch | undefined;
  /** The rounds of the last batch with this first entry: with trees, and without. */
  readonly #rounds = { built: new WeakMap<Sized, KnownRounds>(), stored: new WeakMap<Sized, KnownRounds>() };

  /** @param resources where the kernels find the trees' buffers; those of batches are added */
  constructor(device: GPUDevice, kernels: TreeKernels, resources: Resources) {
    this.#device = device;
    this.#resources = resources;
    this.#sort = new RadixSort(device, kernels.sort);
    this.#parameters = new BatchParameters(device);
    resources.set('batch', this.#parameters.batch);
    for (let round = 0; round < 4; round++) {
      this.#roundResources.push(new Resources(resources));
      this.#reduce.push(new Launch(device, kernels.reduce, this.#roundResources[round]));
    }
    this.#launches = {
      store: new Launch(device, kernels.store, resources),
      keys: new Launch(device, kernels.keys, resources),
      gatherSorted: new Launch(device, kernels.gatherSorted, resources),
      gatherKept: new Launch(device, kernels.gatherKept, resources),
    };
  }

  /** Compiles the kernels that store shapes without trees. */
  async prepareTreeless(): Promise<void> {
    if (this.#storeLeaves !== undefined) return;
    const { leaves, join }: StoreKernels = await createStoreKernels(this.#device);
    this.#storeLeaves = new Launch(this.#device, leaves, this.#roundResources[0]);
    this.#joinChunks = new Launch(this.#device, join, this.#roundResources[1]);
  }

  /** An array for the records of a batch. `writeTreeBuild` fills it. */
  takeTreeBuilds(count: number): Uint32Array<ArrayBuffer> {
    return this.#parameters.takeTreeBuilds(count);
  }

  /** Writes the parameters of a batch's kernels. There must be triangles. */
  describe(
    treeBuilds: Uint32Array<ArrayBuffer>,
    entries: readonly Sized[],
    triangleCount: number,
    vertexCount: number,
    cellBits: number | undefined,
    treeless: boolean,
  ): Described {
    const rounds = this.#roundsOf(entries, treeless);
    const words = new Uint32Array([triangleCount, vertexCount, entries.length, cellBits ?? 0]);
    const chunks = this.#parameters.write(treeBuilds, words, rounds);
    return { triangleCount, vertexCount, cellBits, treeless, rounds, chunks };
  }

  /** Makes room to sort the triangles of a batch. Returns the buffer of the sorted ones. */
  reserve(described: Described | undefined): GPUBuffer {
    const isSorted = described?.cellBits !== undefined && !described.treeless;
    return this.#sort.reserve(isSorted ? described.triangleCount : 1);
  }

  /** Binds the buffers of batches, which may have been replaced. */
  bind(sorted: GPUBuffer): void {
    this.#resources.set('treeBuilds', this.#parameters.treeBuilds.buffer);
    this.#resources.set('sorted', sorted);
  }

  /** Returns the number of dispatches. */
  encode(pass: GPUComputePassEncoder, described: Described): number {
    const { triangleCount, vertexCount, cellBits, treeless, rounds, chunks } = described;
    const groups = Math.ceil(triangleCount / 256);
    let dispatches = 2;
    this.#launches.store.encode(pass, Math.ceil(vertexCount / 256));
    if (treeless) {
      for (const [i, launch] of [this.#storeLeaves!, this.#joinChunks!].slice(0, rounds.length).entries()) {
        rounds[i].bind(this.#roundResources[i], chunks);
        launch.encode(pass, rounds[i].words.length / 4);
      }
      return 1 + rounds.length;
    }
    if (cellBits !== undefined) {
      this.#launches.keys.encode(pass, groups);
      dispatches += 1 + this.#sort.encode(pass, triangleCount);
    }
    const gather = cellBits === undefined ? this.#launches.gatherKept : this.#launches.gatherSorted;
    gather.encode(pass, groups);
    for (let i = 0; i < rounds.length; i++) {
      rounds[i].bind(this.#roundResources[i], chunks);
      this.#reduce[i].encode(pass, rounds[i].words.length / 4);
      dispatches++;
    }
    return dispatches;
  }

  destroy(): void {
    this.#sort.destroy();
    this.#parameters.destroy();
  }

  /** Cached for entries that deform together again and again, so that neither chunks nor bind groups are made anew. */
  #roundsOf(entries: readonly Sized[], treeless: boolean): readonly Round[] {
    const all = this.#rounds[treeless ? 'stored' : 'built'];
    const known = all.get(entries[0]);
    if (known?.entries.length === entries.length && known.entries.every((one, i) => isSame(one, entries[i])))
      return known.rounds;
    const rounds = treeless ? storeRounds(entries) : chunkRounds(entries);
    const copies = entries.map(entry => ({ entry, nodeOffset: entry.nodeOffset }));
    all.set(entries[0], { entries: copies, rounds });
    return rounds;
  }
}

/** The rounds of some entries, and where the nodes of each were: an entry that gets a tree later may move. */
interface KnownRounds {
  readonly entries: readonly { readonly entry: Sized; readonly nodeOffset: number }[];
  readonly rounds: readonly Round[];
}

const isSame = ({ entry, nodeOffset }: KnownRounds['entries'][number], now: Sized): boolean =>
  now === entry && now.nodeOffset === nodeOffset;
