// Results recorded on other machines for the scenes of the page, of Nearfield and of other libraries: medians only, taken
// from bench/results when the page is built.

/** An engine of a machine, and its milliseconds per case. */
export interface Recorded {
  readonly machine: string;
  /** 'Nearfield', or another library with its version. */
  readonly engine: string;
  /** Where Nearfield ran; other libraries ran on the CPU. */
  readonly kind: 'cpu' | 'gpu' | 'peer';
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
/** A file of bench/results: cases with one row per engine, or lines with the times of GPU and CPU. */
export interface ResultsFile {
  readonly machine: { readonly processor: string; readonly cores: number; readonly gpu?: string };
  readonly cases?: readonly (Measured & {
    readonly rows: readonly { readonly engine: string; readonly version: string; readonly warm?: Timed }[];
  })[];
  readonly lines?: readonly (Measured & {
    readonly engine?: string;
    readonly warm?: Timed;
    readonly cpu?: Timed;
  })[];
  /** Rows by size instead of by name. */
  readonly particles?: readonly {
    readonly particles: number;
    readonly colliders: number;
    readonly kinds: string;
    readonly backend: 'cpu' | 'gpu';
    readonly found: Timed;
  }[];
}

/** The scenes that the page has cases of. */
const scenes = new Set(['pair', 'boxes', 'deform', 'distance', 'proximity', 'trees', 'visibility']);
/** For scenes with many sizes, the size that the page has. */
const sizes = new Map([
  ['raycast', '3,614 polygons at 256 × 256, by raycast'],
  ['layers', 'two π-convex (figure 3b), 20,184, by layers'],
  ['particles', '100,000 particles × 64 mixed colliders'],
]);

/** `name` comes from the file, because the GPU's own description is that of a driver. */
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
  const peerTimes = new Map<string, Record<string, number>>();
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
    for (const { engine, version, warm } of measured.rows) {
      // The page asks asynchronously, as users do.
      if (engine === 'Nearfield cpu async') put(cpuTimes, measured, warm);
      if (engine === 'Nearfield gpu') put(gpuTimes, measured, warm);
      if (engine.startsWith('Nearfield')) continue;
      const peer = `${engine} ${version}`;
      const times = peerTimes.get(peer) ?? {};
      put(times, measured, warm);
      peerTimes.set(peer, times);
    }
  }
  for (const line of lines) {
    put(gpuTimes, line, line.warm);
    // Beside a GPU method, the CPU ran its own method, which is recorded under its own name.
    if (!/, by [^,]*$/.test(line.name)) put(cpuTimes, line, line.cpu);
  }
  for (const { particles: count, colliders, kinds, backend, found } of particles) {
    const name = `${count.toLocaleString('en')} particles × ${colliders} ${kinds} colliders`;
    put(backend === 'gpu' ? gpuTimes : cpuTimes, { scene: 'particles', name, question: 'impacts' }, found);
  }
  const found: Recorded[] = [
    { machine: processor, engine: 'Nearfield', kind: 'cpu', medians: cpuTimes },
    { machine: gpu, engine: 'Nearfield', kind: 'gpu', medians: gpuTimes },
    ...Array.from(peerTimes, ([engine, medians]) => ({
      ...{ machine: processor, engine, kind: 'peer' as const, medians },
    })),
  ];
  return found.filter(({ medians }) => Object.keys(medians).length > 0);
}
