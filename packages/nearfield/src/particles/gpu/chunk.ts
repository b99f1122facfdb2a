// A chunk: particles whose buffers each fit one binding. Most systems are one chunk. Each has its own lives; colliders,
// window and records are common to all.

import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import type { Setup } from '../compiled.ts';
import { type Frame, rowsOfLife, startWords, systemWords } from './frame.ts';
import type { ParticleKernels } from './kernels.ts';
import { SystemLayout } from './layouts.ts';
import type { PackedColliders } from './pack/pack-colliders.ts';

export interface Chunk {
  readonly first: number;
  readonly count: number;
  readonly ticks: GPUBuffer;
  readonly lives: GPUBuffer;
  /** The number of due particles, then which. */
  readonly due: GPUBuffer;
  readonly buffers: readonly GPUBuffer[];
  readonly resources: Resources;
  readonly launches: Record<keyof ParticleKernels, Launch>;
  /** `follow` with columns, once they were asked for. */
  followColumns: Launch | undefined;
  /** Whether its part of the positions is bound. */
  placed: boolean;
}

export function createChunk(
  device: GPUDevice,
  setup: Setup,
  frame: Frame,
  packed: PackedColliders,
  kernels: ParticleKernels,
  common: Resources,
  first: number,
  count: number,
): Chunk {
  const { start } = setup;
  const resources = new Resources(common);
  const create = (label: string, bytes: number): GPUBuffer => {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ label: `particles: ${label}`, size: Math.max(256, bytes), usage });
    resources.set(label, buffer);
    return buffer;
  };
  const ticks = create('ticks', 8 * count);
  const lives = create('lives', 16 * rowsOfLife(setup) * count);
  const starts = create('starts', start.kind === 'arrays' ? 48 * count : 256);
  const due = create('due', 4 * (1 + count));
  const words = systemWords(setup, frame, first, count);
  const { at } = SystemLayout;
  words[at.alwaysAt] = packed.alwaysAt;
  words[at.alwaysCount] = setup.tree.always.length;
  words[at.treeAt] = packed.treeAt;
  words[at.treeItemsAt] = packed.treeItemsAt;
  words[at.treeDepth] = packed.treeDepth;
  words[at.windAt] = packed.windAt;
  words[at.forceAt] = packed.forceAt;
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  const system = device.createBuffer({ label: 'particles: system', size: SystemLayout.bytes, usage });
  resources.set('system', system);
  device.queue.writeBuffer(system, 0, words);
  if (start.kind === 'arrays') device.queue.writeBuffer(starts, 0, startWords(setup, frame, first, count));
  const launch = (kernel: Kernel) => new Launch(device, kernel, resources);
  const launches = {
    due: launch(kernels.due),
    follow: launch(kernels.follow),
    put: launch(kernels.put),
    place: launch(kernels.place),
  };
  const buffers = [ticks, lives, starts, due, system];
  return {
    first,
    count,
    ticks,
    lives,
    due,
    buffers,
    resources,
    launches,
    followColumns: undefined,
    placed: false,
  };
}
