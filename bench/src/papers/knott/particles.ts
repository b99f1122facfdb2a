// Knott, chapter 3: particles. The thesis shows pictures and gives no times; it makes claims about the impact map and
// names motion without a formula as future work. The claims are measured, and the future work's convergence.

import type { Collider, Nearfield, ParticleOptions, Particles } from 'nearfield';
import { frameRate, type ParticleCase, particleOptions } from '../../particles/scene.ts';
import { fitLine } from '../../run/linear.ts';
import type { Exhibit, Findings, Lab } from '../paper.ts';

export const particleExhibits: readonly Exhibit[] = [
  {
    name: 'Section 3.4',
    title: 'collision feedback per frame',
    about:
      'Particles in closed form fall through 64 colliders (planes, spheres, quadrics, meshes, moving spheres), each hitting something once per life; a frame is a sixtieth of a second. The published form is the impact map: every impact is scattered into a texture by the GPU, with its collider, time and speed. The thesis renders points into the frame buffer and gives no times (GeForce3). Beside it: the impacts alone (which particle hits what); time, place and speed of each as arrays in single precision, computed by the GPU and read back, with bounds; and the same as doubles, identical on every backend, which the CPU computes when they are read.',
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
      'Future work of the thesis. A stone is thrown up at 12 m/s with drag 0.7 per second and falls onto a plane 5 m below; the figure is by how much its impact is off the formula’s time. Then a particle in a force and a wind that are linear in the place, with drag, against Runge and Kutta’s method in double precision at steps of 1/65,536 s. The steps are whole numbers, identical on every backend.',
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

const withMap = (options: ParticleOptions, size: number): ParticleOptions => {
  const [floor, ...others] = options.colliders;
  const map = { width: size, height: size, combine: 'sum', form: 'plane', precision: 'single' } as const;
  return { ...options, colliders: [{ ...floor, map } as Collider, ...others] };
};

async function feedback(lab: Lab): Promise<Findings> {
  const nf = lab.gpu!;
  const rows: (string | number)[][] = [];
  for (const job of casesOf(lab)) {
    lab.log(`  ${job.particles.toLocaleString('en')} particles, lives of ${job.life} s`);
    const plain = await running(nf, particleOptions(job), job.life);
    const painting = await running(nf, withMap(particleOptions(job), 512), job.life);
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
      rows.push([job.particles.toLocaleString('en'), impacts, ...times.map(({ calm }) => calm)]);
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
          'impacts alone',
          'published form: impact map painted by the GPU, 512 × 512',
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
    const { particles, next } = await running(nf, withMap(particleOptions(job), size), job.life);
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

const thrown = {
  count: 1,
  generations: 1,
  start: { position: new Float64Array(3), velocity: Float64Array.of(1, 0, 12), life: 4 },
} as const;

async function convergence(lab: Lab): Promise<Findings> {
  const [k, g, v] = [0.7, -9.81, 12];
  const height = (t: number) => ((v - g / k) / k) * -Math.expm1(-k * t) + (g / k) * t;
  let [low, high] = [1, 4];
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (height(middle) > -5) low = middle;
    else high = middle;
  }
  const steps = [0.16, 0.08, 0.04, 0.02, 0.01] as const;
  const first = (options: ParticleOptions): number => {
    const particles = lab.cpu.particlesSync(options);
    const { time, count } = particles.impactsSync(0, 4);
    particles.close();
    if (count !== 1) throw new Error(`${count} impacts in place of 1`);
    return time[0];
  };
  const stone = (step: number, order: 1 | 2) =>
    Math.abs(
      first({
        ...thrown,
        acceleration: [0, 0, g],
        colliders: [{ plane: { point: [0, 0, -5], normal: [0, 0, 1] } }],
        motion: { step, drag: k, order },
      }) - low,
    );
  const field = linearField();
  const exact = field.exact();
  const swing = oscillator();
  const errors: Record<'step' | ErrorName, number>[] = [];
  for (const step of steps) {
    errors.push({
      ...{ step, one: stone(step, 1), two: stone(step, 2) },
      field: Math.abs(first(field.options(step)) - exact),
      typeScript: Math.abs(first(swing.options(step)) - swing.exact),
      wgsl:
        lab.gpu === undefined
          ? Number.NaN
          : Math.abs((await onGpu(lab.gpu, swing.options(step))) - swing.exact),
    });
  }
  const isMeasured = (name: ErrorName) => !Number.isNaN(errors[0][name]);
  const cells = (name: ErrorName, i: number) => [
    isMeasured(name) ? 1000 * errors[i][name] : undefined,
    i === 0 || !isMeasured(name) ? undefined : Math.log2(errors[i - 1][name] / errors[i][name]).toFixed(2),
  ];
  const names = Object.entries(errorNames) as [ErrorName, string][];
  return {
    tables: [
      {
        title:
          'milliseconds by which the impact is off, and the order that each step shows over the one before',
        heads: ['step, ms', ...names.flatMap(([, title]) => [title, 'its order'])],
        rows: errors.map(({ step }, i) => [1000 * step, ...names.flatMap(([name]) => cells(name, i))]),
      },
    ],
    plots: [
      {
        id: 'convergence',
        title: 'error of the impact time',
        x: { label: 'step, s', log: true },
        y: { label: 'seconds', log: true },
        series: names
          .filter(([name]) => isMeasured(name))
          .map(([which, name]) => ({
            name,
            points: errors.map(each => [each.step, each[which]] as const),
          })),
      },
    ],
    notes: [
      'At the shortest steps the rounding of places to 2⁻²⁸ of the extent begins to show.',
      'The oscillator is x″ = −4x − 0.6x′ as a force of place and velocity, given in both languages. Its impact is known in closed form. In the column of the WGSL, times are those that the GPU computed in single precision; the doubles are those of the TypeScript on either backend. The shortest step shows what single precision leaves of a time.',
    ],
  };
}

/** The motions in the table of convergence, by name. */
const errorNames = {
  one: 'order 1, fall with drag',
  two: 'order 2, fall with drag',
  field: 'order 2, force and wind',
  typeScript: 'order 2, oscillator as TypeScript',
  wgsl: 'order 2, oscillator as WGSL',
} as const;
type ErrorName = keyof typeof errorNames;

/** When the only particle first hits something, in the GPU's own single precision. */
async function onGpu(nf: Nearfield, options: ParticleOptions): Promise<number> {
  const particles = await nf.particles(options);
  const { single, count } = await particles.impacts(0, 4, { columns: 'single' });
  particles.close();
  if (count !== 1) throw new Error(`${count} impacts in place of 1`);
  return single!.time[0];
}

/** A damped oscillator from rest at 1, as a force in both languages, and when it passes −0.5. */
function oscillator(): { options(step: number): ParticleOptions; exact: number } {
  const [decay, frequency] = [0.3, Math.sqrt(4 - 0.09)];
  const place = (t: number) =>
    Math.exp(-decay * t) * (Math.cos(frequency * t) + (decay / frequency) * Math.sin(frequency * t));
  let [low, high] = [0, Math.PI / frequency];
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (place(middle) > -0.5) low = middle;
    else high = middle;
  }
  const wgsl = `fn acceleration(place: vec3f, velocity: vec3f, time: f32) -> vec3f {
    return -4.0 * place - 0.6 * velocity;
  }`;
  return {
    exact: low,
    options: step => ({
      ...thrown,
      start: { position: Float64Array.of(1, 0, 0), velocity: new Float64Array(3), life: 4 },
      colliders: [{ plane: { point: [-0.5, 0, 0], normal: [1, 0, 0] } }],
      motion: {
        ...{ step, order: 2 },
        force: {
          wgsl,
          acceleration: ([x, y, z], [vx, vy, vz]) => [
            -4 * x - 0.6 * vx,
            -4 * y - 0.6 * vy,
            -4 * z - 0.6 * vz,
          ],
          greatest: 8,
          slopes: { place: 4, velocity: 0.6, time: 0 },
        },
      },
    }),
  };
}

/** A force and a wind that are linear in the place: interpolating their samples is exact. */
function linearField(): { options(step: number): ParticleOptions; exact(): number } {
  const pull = ([x, y, z]: readonly number[]) => [-4 * x + 0.5 * y, -3 * y, 1 - 2 * z] as const;
  const blow = ([x, y]: readonly number[]) => [-0.8 * y, 0.8 * x, 0.3] as const;
  const [count, cell, drag] = [32, 0.5, 0.6];
  const grid = { origin: [-8, -8, -8], cell, dimensions: [count, count, count] } as const;
  const velocity = new Float32Array(3 * count ** 3);
  for (let at = 0; at < count ** 3; at++) {
    const place = [at % count, Math.floor(at / count) % count, Math.floor(at / count ** 2)];
    velocity.set(blow(place.map(i => -8 + cell * (i + 0.5))), 3 * at);
  }
  const [start, push] = [Float64Array.of(2, 0.3, 0.4), Float64Array.of(-0.3, 1.5, 0.6)];
  return {
    options: step => ({
      ...thrown,
      start: { position: start, velocity: push, life: 4 },
      colliders: [{ plane: { point: [-1, 0, 0], normal: [1, 0, 0] } }],
      motion: { step, order: 2, drag, wind: { grid, velocity }, force: { grid, acceleration: pull } },
    }),
    exact: () => {
      const gained = (x: readonly number[], v: readonly number[]) => {
        const wind = blow(x);
        return pull(x).map((each, axis) => each - drag * (v[axis] - wind[axis]));
      };
      return reach(Array.from(start), Array.from(push), gained, -1, 2 ** -16);
    },
  };
}

/** When x comes down to a value, by Runge and Kutta's method of fourth order. */
function reach(
  from: number[],
  push: number[],
  gained: (x: readonly number[], v: readonly number[]) => number[],
  value: number,
  h: number,
): number {
  let [x, v] = [from, push];
  const plus = (a: readonly number[], b: readonly number[], share: number) =>
    a.map((each, i) => each + share * b[i]);
  for (let i = 0; ; i++) {
    const a1 = gained(x, v);
    const v2 = plus(v, a1, h / 2);
    const a2 = gained(plus(x, v, h / 2), v2);
    const v3 = plus(v, a2, h / 2);
    const a3 = gained(plus(x, v2, h / 2), v3);
    const v4 = plus(v, a3, h);
    const a4 = gained(plus(x, v3, h), v4);
    const next = x.map((each, k) => each + (h / 6) * (v[k] + 2 * v2[k] + 2 * v3[k] + v4[k]));
    if (next[0] <= value) return h * (i + (x[0] - value) / (x[0] - next[0]));
    v = v.map((each, k) => each + (h / 6) * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]));
    x = next;
  }
}
