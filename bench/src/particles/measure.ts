// Measures the time of a frame of particles: from the call to the number of impacts, to their times, places and order,
// as doubles or as arrays in single precision, with a map painted by the GPU, and with positions for drawing; on the
// CPU and on a GPU. The first frame, which solves every life, is listed
// separately.

import {
  CpuParticles,
  type ImpactOptions,
  type Impacts,
  type Nearfield,
  open,
  type Particles,
} from 'nearfield';
import { isSoftware } from '../culling/culling.ts';
import { type Sample, startWatch, summarise, type Times } from '../run/measure.ts';
import { frameRate, type ParticleCase, particleCases, particleOptions } from './scene.ts';

export interface ParticleRow extends ParticleCase {
  readonly backend: 'cpu' | 'gpu';
  readonly machine: string;
  /** Milliseconds from the options to the impacts of the first frame. */
  readonly cold: number;
  /** A frame of a sixtieth of a second, until the impacts are known. */
  readonly found: Times;
  /** As found, plus the time, place and speed of each impact, in order. */
  readonly told: Times;
  /** As found, plus time, place and speed of each impact as arrays in single precision with bounds; on a GPU. */
  readonly arrays?: Times;
  /** As found, plus a map of 512 × 512 texels on the floor, painted by the GPU. */
  readonly painted?: Times;
  /** As found, plus all positions computed on the GPU. */
  readonly drawn?: Times;
  /** Means per frame. */
  readonly impacts: number;
  readonly due: number;
  /** The share of first impacts that were decided in double precision; 0 to 1. */
  readonly unsureShare: number;
}

export interface ParticleEffort {
  readonly backend: 'cpu' | 'gpu';
  /** Milliseconds per case and column, and the maximum number of frames. */
  readonly time: number;
  readonly frames: number;
  /** A case is left out if its first frame would take longer than this, judging by the previous case of its kind. */
  readonly patience: number;
  readonly cases?: readonly ParticleCase[];
  readonly signal?: AbortSignal | undefined;
  readonly report?: (row: ParticleRow) => void;
}

export async function measureParticles(effort: ParticleEffort): Promise<ParticleRow[]> {
  const nf = await open({ backend: effort.backend });
  const rows: ParticleRow[] = [];
  // A software GPU is a thousand times slower: only the first sizes, to show that it works.
  const most = isSoftware(nf.name) ? 1e5 : Number.POSITIVE_INFINITY;
  let pace = 0;
  try {
    for (const job of effort.cases ?? particleCases) {
      effort.signal?.throwIfAborted();
      if (job.particles > most || job.particles * pace > effort.patience) continue;
      const row = await measureCase(nf, job, effort);
      pace = row.cold / job.particles;
      rows.push(row);
      effort.report?.(row);
    }
  } finally {
    nf.close();
  }
  return rows;
}

async function measureCase(nf: Nearfield, job: ParticleCase, effort: ParticleEffort): Promise<ParticleRow> {
  const started = performance.now();
  const particles = await nf.particles(particleOptions(job));
  try {
    // Any start time will do: lives are spread over it, and all are solved in the first frame.
    const clock = { time: 2 * job.life };
    particles.seek(clock.time);
    await frame(particles, clock);
    const cold = performance.now() - started;
    // The first dozen frames after a restart are not typical, so skip them.
    for (let i = 0; i < 12; i++) await frame(particles, clock);
    const found = await timed(effort, () => frame(particles, clock));
    const told = await timed(effort, async () => withColumns(await frame(particles, clock)));
    const isGpu = effort.backend === 'gpu';
    const single = { columns: 'single' } as const;
    // The first window with columns compiles a kernel.
    if (isGpu) await frame(particles, clock, single);
    const arrays = isGpu
      ? await timed(effort, async () => withArrays(await frame(particles, clock, single)))
      : undefined;
    const painted = isGpu ? await timePainted(nf, job, effort) : undefined;
    const drawn =
      effort.backend === 'gpu'
        ? await timed(effort, () => {
            particles.draw(clock.time);
            return frame(particles, clock);
          })
        : undefined;
    const seen = [...found.answers, ...told.answers];
    const mean = (value: (impacts: Impacts) => number) =>
      seen.reduce((sum, impacts) => sum + value(impacts), 0) / seen.length;
    const first = mean(({ stats }) => stats.first);
    return {
      ...job,
      ...{ backend: effort.backend, machine: nf.name, cold, found: found.times, told: told.times },
      ...(arrays && { arrays: arrays.times }),
      ...(painted && { painted }),
      ...(drawn && { drawn: drawn.times }),
      impacts: mean(({ count }) => count),
      due: mean(({ stats }) => stats.due),
      unsureShare: first === 0 ? 0 : mean(({ stats }) => stats.unsureFirst) / first,
    };
  } finally {
    particles.close();
  }
}

/** Frames of the same particles, whose floor has a map that the GPU paints. */
async function timePainted(nf: Nearfield, job: ParticleCase, effort: ParticleEffort): Promise<Times> {
  const options = particleOptions(job);
  const [floor, ...others] = options.colliders;
  const map = {
    width: 512,
    height: 512,
    combine: 'count',
    precision: 'single',
    form: { planar: 'z' },
  } as const;
  const particles = await nf.particles({ ...options, colliders: [{ ...floor, map }, ...others] });
  try {
    const clock = { time: 2 * job.life };
    particles.seek(clock.time);
    for (let i = 0; i < 13; i++) await frame(particles, clock);
    // Texels are painted behind the answer: reading the map waits for the last of them.
    const { times } = await timed(effort, () => frame(particles, clock));
    if (!(await particles.map(0).read()).some(value => value > 0)) throw new Error('the map is empty');
    return times;
  } finally {
    particles.close();
  }
}

async function frame(
  particles: Particles,
  clock: { time: number },
  options: ImpactOptions = {},
): Promise<Impacts> {
  clock.time += 1 / frameRate;
  return particles instanceof CpuParticles
    ? particles.advanceSync(clock.time)
    : particles.advance(clock.time, options);
}

/** Arrays are read back with the answer, and joined on first access. */
function withArrays(impacts: Impacts): Impacts {
  const { time, place, speed, count } = impacts.single;
  if (time.length + place.length + speed.length !== 5 * count || count !== impacts.count) {
    throw new Error('arrays are not as long as the list');
  }
  return impacts;
}

/** Columns are computed on first access. */
function withColumns(impacts: Impacts): Impacts {
  if (impacts.time.length + impacts.place.length + impacts.speed.length !== 5 * impacts.count) {
    throw new Error('columns are not as long as the list');
  }
  return impacts;
}

async function timed(
  { time, frames, signal }: ParticleEffort,
  run: () => Promise<Impacts>,
): Promise<{ times: Times; answers: Impacts[] }> {
  const samples: Sample[] = [];
  const answers: Impacts[] = [];
  const started = performance.now();
  do {
    signal?.throwIfAborted();
    const stop = startWatch();
    const impacts = await run();
    samples.push(stop());
    answers.push(impacts);
  } while (samples.length < frames && performance.now() - started < time);
  return { times: summarise(samples), answers };
}
