// How fast the impact times of stepped motion converge: the future work of Knott's thesis (section 5.2), motion without a
// formula, on motions that have one.

import type { ForceProgram, Nearfield, ParticleOptions } from 'nearfield';
import type { Findings, Lab, PaperTable } from '../paper.ts';

const thrown = {
  count: 1,
  generations: 1,
  start: { position: new Float64Array(3), velocity: Float64Array.of(1, 0, 12), life: 4 },
} as const;

export async function convergence(lab: Lab): Promise<Findings> {
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
  const rows: Errors<MotionName>[] = [];
  const programRows: Errors<ProgramName>[] = [];
  for (const step of steps) {
    rows.push({
      step,
      errors: {
        one: stone(step, 1),
        two: stone(step, 2),
        field: Math.abs(first(field.options(step)) - exact),
      },
    });
    const errors = {} as Record<ProgramName, number | undefined>;
    for (const [name, program] of Object.entries(programs) as [keyof typeof programs, Program][]) {
      const options = program.options(step);
      errors[name] = Math.abs(first(options) - program.exact);
      errors[`${name}Wgsl`] = lab.gpu && Math.abs((await onGpu(lab.gpu, options)) - program.exact);
    }
    programRows.push({ step, errors });
  }
  return {
    tables: [
      tableOf(
        'Milliseconds by which the impact is off, and the order that each step shows over the one before',
        motionNames,
        rows,
      ),
      tableOf('The same for forces as programs, order 2', programNames, programRows),
    ],
    plots: [
      {
        id: 'convergence',
        title: 'error of the impact time',
        x: { label: 'step, s', log: true },
        y: { label: 'seconds', log: true },
        series: [...seriesOf(motionNames, rows), ...seriesOf(onlyTypeScript, programRows)],
      },
    ],
    notes: [
      'At the shortest steps the rounding of places to 2⁻²⁸ of the extent begins to show.',
      'The damped oscillator is x″ = −4x − 0.6x′, the magnetic field v′ = 3·v × z, the force that depends on time x″ = −4x + t. All are given in both languages, and their impacts are known in closed form. In the columns of the WGSL, times are those that the GPU computed in single precision; the doubles are those of the TypeScript on either backend. The shortest step shows what single precision leaves of a time.',
    ],
  };
}

interface Errors<Name extends string> {
  readonly step: number;
  /** Seconds. */
  readonly errors: Readonly<Record<Name, number | undefined>>;
}

const motionNames = {
  one: 'order 1, fall with drag',
  two: 'order 2, fall with drag',
  field: 'order 2, force and wind',
} as const;
type MotionName = keyof typeof motionNames;

const onlyTypeScript = {
  damped: 'damped oscillator, TypeScript',
  magnetic: 'magnetic field, TypeScript',
  pushed: 'force that depends on time, TypeScript',
} as const;
const programNames = {
  damped: onlyTypeScript.damped,
  dampedWgsl: 'damped oscillator, WGSL',
  magnetic: onlyTypeScript.magnetic,
  magneticWgsl: 'magnetic field, WGSL',
  pushed: onlyTypeScript.pushed,
  pushedWgsl: 'force that depends on time, WGSL',
} as const;
type ProgramName = keyof typeof programNames;

function tableOf<Name extends string>(
  title: string,
  names: Readonly<Record<Name, string>>,
  rows: readonly Errors<Name>[],
): PaperTable {
  const keys = Object.keys(names) as Name[];
  return {
    title,
    heads: ['step, ms', ...keys.flatMap(name => [names[name], 'its order'])],
    rows: rows.map(({ step, errors }, i) => [
      1000 * step,
      ...keys.flatMap(name => {
        const [error, before] = [errors[name], rows[i - 1]?.errors[name]];
        if (error === undefined) return [undefined, undefined];
        return [1000 * error, before === undefined ? undefined : Math.log2(before / error).toFixed(2)];
      }),
    ]),
  };
}

const seriesOf = <Name extends string>(
  names: Readonly<Partial<Record<Name, string>>>,
  rows: readonly Errors<Name>[],
) =>
  (Object.entries(names) as [Name, string][]).map(([key, name]) => ({
    name,
    points: rows.map(({ step, errors }) => [step, errors[key]!] as const),
  }));

/** When the only particle first hits something, in the GPU's own single precision. */
async function onGpu(nf: Nearfield, options: ParticleOptions): Promise<number> {
  const particles = await nf.particles(options);
  const { single, count } = await particles.impacts(0, 4, { columns: 'single' });
  particles.close();
  if (count !== 1) throw new Error(`${count} impacts in place of 1`);
  return single!.time[0];
}

/** A force in both languages, and when its only particle first passes x = −0.5. */
interface Program {
  options(step: number): ParticleOptions;
  readonly exact: number;
}

function programOf(
  body: string,
  acceleration: ForceProgram['acceleration'],
  { greatest, slopes }: Pick<ForceProgram, 'greatest' | 'slopes'>,
  [position, velocity]: readonly [number, number],
  xOf: (time: number) => number,
): Program {
  let high = 0;
  while (xOf(high) > -0.5) high += 1 / 256;
  let low = high - 1 / 256;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (xOf(middle) > -0.5) low = middle;
    else high = middle;
  }
  const wgsl = `fn acceleration(place: vec3f, velocity: vec3f, time: f32) -> vec3f {
    ${body}
  }`;
  return {
    exact: low,
    options: step => ({
      ...thrown,
      start: {
        position: Float64Array.of(position, 0, 0),
        velocity: Float64Array.of(velocity, 0, 0),
        life: 4,
      },
      colliders: [{ plane: { point: [-0.5, 0, 0], normal: [1, 0, 0] } }],
      motion: { step, force: { wgsl, acceleration, greatest, slopes } },
    }),
  };
}

const [decay, frequency] = [0.3, Math.sqrt(4 - 0.09)];

const programs = {
  damped: programOf(
    'return -4.0 * place - 0.6 * velocity;',
    ([x, y, z], [vx, vy, vz]) => [-4 * x - 0.6 * vx, -4 * y - 0.6 * vy, -4 * z - 0.6 * vz],
    { greatest: 8, slopes: { place: 4, velocity: 0.6, time: 0 } },
    [1, 0],
    t => Math.exp(-decay * t) * (Math.cos(frequency * t) + (decay / frequency) * Math.sin(frequency * t)),
  ),
  magnetic: programOf(
    'return 3.0 * cross(velocity, vec3f(0.0, 0.0, 1.0));',
    (_, [vx, vy]) => [3 * vy, -3 * vx, 0],
    { greatest: 12, slopes: { place: 0, velocity: 3, time: 0 } },
    [0.25, -3],
    t => 0.25 - Math.sin(3 * t),
  ),
  pushed: programOf(
    'return vec3f(-4.0 * place.x + time, -4.0 * place.yz);',
    ([x, y, z], _, t) => [-4 * x + t, -4 * y, -4 * z],
    { greatest: 12, slopes: { place: 4, velocity: 0, time: 1 } },
    [1, 0],
    t => t / 4 + Math.cos(2 * t) - Math.sin(2 * t) / 8,
  ),
} as const;

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
