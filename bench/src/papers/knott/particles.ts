// Knott, chapter 3: particles. The thesis shows pictures and gives no times; it makes claims about the impact map and
// names motion without a formula as future work. The claims are measured, and the future work's convergence.

import type { Collider, Nearfield, ParticleOptions, Particles } from 'nearfield';
import { frameRate, type ParticleCase, particleOptions } from '../../particles/scene.ts';
import { fitLine } from '../../run/linear.ts';
import type { Exhibit, Findings, Lab } from '../paper.ts';
import { convergence } from './convergence.ts';

export const particleExhibits: readonly Exhibit[] = [
  {
    name: 'Section 3.4',
    title: 'collision feedback per frame',
    about:
      'Particles in closed form fall through 64 colliders (planes, spheres, quadrics, meshes, moving spheres), each hitting something once per life; a frame is a sixtieth of a second. The published form is the impact map: every impact is scattered by the GPU into the texture of the collider that it hits, with its time and speed. The thesis renders points into the frame buffer and gives no times (GeForce3). Beside it: the impacts alone (which particle hits what); time, place and speed of each as arrays in single precision, computed by the GPU and read back, with bounds; and the same as doubles, identical on every backend, which the CPU computes when they are read.',
    needsGpu: true,
    run: feedback,
  },
  {
    name: 'Section 3.5.1, spatial resolution',
    title: 'the size of the impact map',
    about:
      'The thesis states that painting a larger impact map is not appreciably slower, and that reading it back is, since all texels travel over the bus. Here: a frame that paints a map of the floor, and reading that map back, by the number of texels.',
    needsGpu: true,
    run: mapSize,
  },
  {
    name: 'Section 3.5.1, temporal resolution',
    title: 'how well the time of an impact is known',
    about:
      'The thesis reports the time of an impact as an offset within the frame, to 8 bits: a 256th of a frame, 65 µs at 60 frames per second. Here: how far the times of all impacts of a second are from the evaluator in double precision, which is itself accurate to a stated bound of about 10⁻¹⁵ of a life.',
    needsGpu: true,
    run: timeError,
  },
  {
    name: 'Section 5.2',
    title: 'motion that is not closed-form: convergence of impact times',
    about:
      'Future work of the thesis. A stone is thrown up at 12 m/s with drag 0.7 per second and falls onto a plane 5 m below; the figure is by how much its impact is off the formula’s time. Then a particle in a force and a wind that are linear in the place, with drag, against Runge and Kutta’s method in double precision at steps of 1/65,536 s. Then forces given as WGSL and TypeScript: a damped oscillator, whose drag is part of the force, a magnetic field, and a force that depends on time, each against its formula. The steps are whole numbers, identical on every backend.',
    needsGpu: false,
    run: convergence,
  },
];

/** 10 million particles on hardware; what a software GPU can do in the time else. */
const casesOf = ({ isSoftware }: Lab): readonly ParticleCase[] =>
  isSoftware
    ? [1000, 4000].map(particles => ({ particles, colliders: 64, kinds: 'mixed', life: 4 }) as const)
    : [
        ...[1e5, 1e6, 3e6].map(particles => ({ particles, life: 4 })),
        ...[40, 10, 4].map(life => ({ particles: 1e7, life })),
      ].map(job => ({ ...job, colliders: 64, kinds: 'mixed' }) as const);

const sizeNote = ({ isSoftware }: Lab): string[] =>
  isSoftware ? ['On a software GPU there are at most 4,000 particles.'] : [];

/** Particles and their clock; the first frame, which solves every life, is over. */
async function running(
  nf: Nearfield,
  options: ParticleOptions,
  life: number,
): Promise<{ particles: Particles; next(): number }> {
  const particles = await nf.particles(options);
  let time = 2 * life;
  particles.seek(time);
  const next = () => (time += 1 / frameRate);
  for (let i = 0; i < 4; i++) await particles.advance(next());
  return { particles, next };
}

/** Maps of the first colliders, as many as asked for. */
const withMaps = (options: ParticleOptions, size: number, count = Infinity): ParticleOptions => {
  const map = { width: size, height: size, combine: 'sum', precision: 'single' } as const;
  const colliders = options.colliders.map((each, i) => (i < count ? ({ ...each, map } as Collider) : each));
  return { ...options, colliders };
};

/** Texels along each side of the map of every collider. */
const mapSide = 128;

/** Paints one frame into empty maps. Returns its impacts, and how many of them the maps have. */
async function paintedIn(
  { particles, next }: Awaited<ReturnType<typeof running>>,
  maps: number,
): Promise<{ impacts: number; painted: number }> {
  for (let i = 0; i < maps; i++) particles.map(i).clear();
  const { count } = await particles.advance(next());
  let painted = 0;
  for (let i = 0; i < maps; i++) {
    const values = await particles.map(i).read();
    for (let at = 3; at < values.length; at += 4) painted += values[at];
  }
  return { impacts: count, painted };
}

async function feedback(lab: Lab): Promise<Findings> {
  const nf = lab.gpu!;
  const rows: (string | number)[][] = [];
  for (const job of casesOf(lab)) {
    lab.log(`  ${job.particles.toLocaleString('en')} particles, lives of ${job.life} s`);
    const plain = await running(nf, particleOptions(job), job.life);
    const painting = await running(nf, withMaps(particleOptions(job), mapSide), job.life);
    let impacts = 0;
    try {
      const times = await lab.measure(
        async () => {
          impacts = (await plain.particles.advance(plain.next())).count;
        },
        async () => void (await painting.particles.advance(painting.next())),
        async () => (await plain.particles.advance(plain.next(), { columns: 'single' })).single.time.length,
        async () => (await plain.particles.advance(plain.next())).time.length,
      );
      const frame = await paintedIn(painting, job.colliders);
      rows.push([
        job.particles.toLocaleString('en'),
        impacts,
        `${frame.painted.toLocaleString('en')} of ${frame.impacts.toLocaleString('en')}`,
        ...times.map(({ calm }) => calm),
      ]);
    } finally {
      plain.particles.close();
      painting.particles.close();
    }
  }
  return {
    tables: [
      {
        title: 'milliseconds per frame',
        heads: [
          'particles',
          'impacts per frame',
          'impacts painted in one such frame',
          'impacts alone',
          `published form: impact maps painted by the GPU, ${mapSide} × ${mapSide} on each of 64 colliders`,
          'arrays in single precision, read back',
          'doubles, computed when read',
        ],
        rows,
      },
    ],
    notes: sizeNote(lab),
  };
}

async function mapSize(lab: Lab): Promise<Findings> {
  const nf = lab.gpu!;
  const sizes = lab.isSoftware ? [64, 128, 256] : [128, 256, 512, 1024, 1536, 2048, 3072, 4096];
  const job: ParticleCase = {
    particles: lab.isSoftware ? 2000 : 1e6,
    colliders: 64,
    kinds: 'mixed',
    life: 4,
  };
  const rows: number[][] = [];
  for (const size of sizes) {
    lab.log(`  ${size} × ${size} texels`);
    const { particles, next } = await running(nf, withMaps(particleOptions(job), size, 1), job.life);
    try {
      const [painted, read] = await lab.measure(
        async () => void (await particles.advance(next())),
        async () => void (await particles.map(0).read()),
      );
      rows.push([size * size, painted.calm, read.calm]);
    } finally {
      particles.close();
    }
  }
  const line = fitLine(rows.map(([texels, , read]) => ({ size: texels / 1e6, time: read })));
  const painted = rows.map(row => row[1]);
  return {
    tables: [{ heads: ['texels', 'frame with painting, ms', 'reading the map back, ms'], rows }],
    plots: [
      {
        id: 'impact-map-size',
        title: 'milliseconds by the size of the impact map',
        x: { label: 'texels', log: true },
        y: { label: 'milliseconds', log: true },
        series: [
          { name: 'frame with painting', points: rows.map(([x, y]) => [x, y] as const) },
          { name: 'reading back', points: rows.map(([x, , y]) => [x, y] as const) },
        ],
      },
    ],
    notes: [
      `Painting the largest map takes ${(painted.at(-1)! / painted[0]).toFixed(2)} times as long as the smallest; by the thesis it should hardly depend on the size.`,
      `Reading back is ${line.fixed.toFixed(2)} ms and ${line.slope.toFixed(2)} ms per million texels (R² ${line.rSquared.toFixed(3)}).`,
      `There are ${job.particles.toLocaleString('en')} particles.`,
    ],
  };
}

async function timeError(lab: Lab): Promise<Findings> {
  const [job] = casesOf(lab);
  const particles = await lab.gpu!.particles(particleOptions(job));
  try {
    const from = 2 * job.life;
    const impacts = await particles.impacts(from, from + 1, { columns: 'single' });
    const { single } = impacts;
    const key = (particle: number, generation: number) => particle + generation * particles.count;
    const exact = new Map<number, number>();
    for (let i = 0; i < impacts.count; i++) {
      exact.set(key(impacts.particle[i], impacts.generation[i]), impacts.time[i]);
    }
    let [off, bound, sum] = [0, 0, 0];
    for (let i = 0; i < single.count; i++) {
      const true_ = exact.get(key(single.particle[i], single.generation[i]))! - single.start;
      off = Math.max(off, Math.abs(single.time[i] - true_));
      bound = Math.max(bound, single.timeError[i]);
      sum += single.timeError[i];
    }
    const micro = 1e6;
    return {
      tables: [
        {
          heads: ['', 'microseconds'],
          rows: [
            ['the thesis: 8 bits of a frame', (micro / frameRate / 256).toFixed(1)],
            ['single precision, mean bound', (micro * sum) / single.count],
            ['single precision, greatest bound', micro * bound],
            ['single precision, greatest difference from the doubles', micro * off],
          ],
        },
      ],
      notes: [
        `${impacts.count.toLocaleString('en')} impacts of ${job.particles.toLocaleString('en')} particles in a second; lives are ${job.life} s. The greatest bounds are those of paths that graze.`,
      ],
    };
  } finally {
    particles.close();
  }
}
