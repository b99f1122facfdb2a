// What was measured on machines before, of the scenes that the page runs: medians alone, taken from bench/results when the page
// is built.

/** A machine's engine, and milliseconds by case. */
export interface Recorded {
  readonly machine: string;
  readonly kind: 'cpu' | 'gpu';
  readonly medians: Readonly<Record<string, number>>;
}

interface Timed {
  readonly median: number;
}
interface Measured {
  readonly scene: string;
  readonly name: string;
  readonly question: string;
}
/** A file of bench/results: cases with a row for each engine, or lines with the GPU's time and the processor's. */
export interface ResultsFile {
  readonly machine: { readonly processor: string; readonly cores: number; readonly gpu?: string };
  readonly cases?: readonly (Measured & {
    readonly rows: readonly { readonly engine: string; readonly warm?: Timed }[];
  })[];
  readonly lines?: readonly (Measured & {
    readonly engine?: string;
    readonly warm?: Timed;
    readonly cpu?: Timed;
  })[];
  /** Rows by numbers, not by name. */
  readonly particles?: readonly {
    readonly particles: number;
    readonly colliders: number;
    readonly kinds: string;
    readonly backend: 'cpu' | 'gpu';
    readonly found: Timed;
  }[];
}

/** Those that the page has cases of. */
const scenes = new Set(['pair', 'boxes', 'deform', 'distance', 'proximity', 'trees', 'visibility']);
/** Of scenes with many sizes, the one that the page has. */
const sizes = new Map([
  ['raycast', '3,614 polygons at 256 × 256, by raycast'],
  ['layers', 'two π-convex (figure 3b), 20,184, by layers'],
  ['particles', '100,000 particles × 64 mixed colliders'],
]);

/** `name` is the file's: the GPU's own description is a driver's. */
export function mediansOf(
  name: string,
  { machine, cases = [], lines = [], particles = [] }: ResultsFile,
): Recorded[] {
  const processor = `${machine.processor.replace(/\(R\)| Processor/g, '')}, ${machine.cores} cores`;
  const gpu = name
    .replace(/\.json$/, '')
    .replace(/-/g, ' ')
    .toUpperCase();
  const cpuTimes: Record<string, number> = {};
  const gpuTimes: Record<string, number> = {};
  const put = (
    times: Record<string, number>,
    { scene, name, question }: Measured,
    time: Timed | undefined,
  ) => {
    const key = `${scene}: ${name}, ${question}`;
    const isOfPage = scenes.has(scene) || sizes.get(scene) === name;
    if (time && isOfPage) times[key] = Number(time.median.toPrecision(4));
  };
  for (const measured of cases) {
    for (const { engine, warm } of measured.rows) {
      // The page asks as people do: without waiting.
      if (engine === 'Nearfield cpu async') put(cpuTimes, measured, warm);
      if (engine === 'Nearfield gpu') put(gpuTimes, measured, warm);
    }
  }
  for (const line of lines) {
    put(gpuTimes, line, line.warm);
    // Beside a method of a GPU alone the processor was asked by its own, which stands under its own name.
    if (!/, by [^,]*$/.test(line.name)) put(cpuTimes, line, line.cpu);
  }
  for (const { particles: count, colliders, kinds, backend, found } of particles) {
    const name = `${count.toLocaleString('en')} particles × ${colliders} ${kinds} colliders`;
    put(backend === 'gpu' ? gpuTimes : cpuTimes, { scene: 'particles', name, question: 'impacts' }, found);
  }
  const found: Recorded[] = [
    { machine: processor, kind: 'cpu', medians: cpuTimes },
    { machine: gpu, kind: 'gpu', medians: gpuTimes },
  ];
  return found.filter(({ medians }) => Object.keys(medians).length > 0);
}
