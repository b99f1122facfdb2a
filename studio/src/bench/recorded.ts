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
  readonly lines?: readonly (Measured & { readonly warm?: Timed; readonly cpu?: Timed })[];
}

/** Those that the page has cases of. */
const scenes = new Set(['pair', 'boxes', 'deform', 'distance', 'proximity', 'trees']);

/** `name` is the file's: the GPU's own description is a driver's. */
export function mediansOf(name: string, { machine, cases = [], lines = [] }: ResultsFile): Recorded[] {
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
    if (time && scenes.has(scene)) times[key] = Number(time.median.toPrecision(4));
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
    put(cpuTimes, line, line.cpu);
  }
  const found: Recorded[] = [
    { machine: processor, kind: 'cpu', medians: cpuTimes },
    { machine: gpu, kind: 'gpu', medians: gpuTimes },
  ];
  return found.filter(({ medians }) => Object.keys(medians).length > 0);
}
