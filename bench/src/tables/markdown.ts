// Results as markdown: one table per scene, one line per engine, with the setting and the pairs beside the time.

import { paperTime, type Question } from '../case.ts';
import type { CullingRow } from '../culling/culling.ts';
import type { Machine } from '../machine.ts';
import type { ParticleRow } from '../particles/measure.ts';
import { particleCells, particleHeads, particleNote } from '../particles/table.ts';
import type { Times } from '../run/measure.ts';
import type { CaseResult, Row } from '../run/runner.ts';
import type { Growth } from '../run/series.ts';
import { growthRows, paperRows } from './images.ts';

export interface Results {
  readonly machine: Machine;
  readonly date: string;
  readonly cases: readonly CaseResult[];
  /** Series measured in turn. */
  readonly growth?: readonly Growth[];
  readonly particles?: readonly ParticleRow[];
}

const questions: Readonly<Record<Question, string>> = {
  pairs: 'all triangle pairs',
  any: 'yes or no',
  bodies: 'body pairs',
  boxes: 'broad phase only',
  self: 'self-intersections',
  motion: 'first contacts',
  build: 'build',
  refit: 'refit',
  distance: 'distance',
  clearance: 'pairs too close',
  closest: 'nearest points',
  nearest: 'nearest triangles',
  rays: 'first hits of rays',
  hits: 'all hits of rays',
  inBox: 'triangles in boxes',
  inSphere: 'triangles in spheres',
  volume: 'common volume with depths',
  separation: 'verified separation',
  penetration: 'bracket of the depth',
  scene: 'all triangle pairs of all bodies',
  map: 'distance map',
  field: 'distance field',
  relation: 'relation',
  relations: 'relations of all pairs',
  points: 'relations and common points',
  check: 'the same and pairs too close',
  contacts: 'patches of contact',
  overlap: 'common volume, area and middle',
};

const heads = [
  ...['case', 'engine', 'warm, ms', 'quartiles', 'CPU time, ms', 'times Nearfield', 'count only', 'cold, ms'],
  ...['peak, MiB', 'found', 'missed', 'false', 'setting'],
];

export function* markdown({ machine, date, cases, growth, particles }: Results): Generator<string> {
  const { processor, cores, memoryGiB, node, gpu } = machine;
  yield '# Benchmark results\n\n';
  yield `${processor}, ${cores} cores, ${memoryGiB} GiB, Node ${node}${gpu ? `, ${gpu}` : ''}; ${date}.\n\n`;
  yield 'Warm: the question again, medians of many short runs in turns. Cold: from meshes to the first answer, ';
  yield 'trees included. Count only: how many, without reading back the list. Peak: how far the memory of the ';
  yield "engine's own process rises above the meshes until the first answer. Times in milliseconds. On a shared machine, wall-clock time ";
  yield 'includes other programs; CPU time does not, so ratios are of CPU time (of wall-clock time if ';
  yield 'a GPU or other threads work).\n';
  for (const scene of new Set(cases.map(({ scene }) => scene))) {
    const chosen = cases.filter(result => result.scene === scene);
    yield* sceneTable(scene, chosen);
    if (scene === 'growth') yield* growthTable(chosen);
    if (scene === 'rotating') yield* rotatingTable(chosen);
    if (scene === 'proximity') yield* proximityTable(chosen);
    if (scene === 'penetration') yield* penetrationTable(chosen);
    if (scene === 'visibility') yield* visibilityTable(chosen);
    if (imageScenes.includes(scene)) {
      yield* imageTables(
        chosen,
        growth?.filter(grown => grown.scene === scene),
      );
    }
  }
  if (particles !== undefined) yield* particleTable(particles);
}

function* sceneTable(scene: string, cases: readonly CaseResult[]): Generator<string> {
  yield `\n## ${scene}\n\n`;
  yield* tableHead(heads);
  for (const result of cases) {
    const own = result.rows.find(row => row.engine.startsWith('Nearfield'))?.warm;
    for (const row of result.rows) yield tableLine(caseCells(result, row, own));
  }
}

function caseCells(result: CaseResult, row: Row, own: Times | undefined): string[] {
  const exact = result.exactPairs === undefined ? '' : `, ${count(result.exactPairs)} pairs`;
  const frames = result.frames > 1 ? ` in ${result.frames} frames` : '';
  const title = `${result.name}: ${questions[result.question]}${exact}${exact && frames}`;
  const cells = [title, `${row.engine} ${row.version}`];
  if (row.cannot !== undefined) return [...cells, 'cannot', '', '', '', '', '', '', '', '', '', row.cannot];
  const { warm, cold, count: counted, peakMiB, pairs } = row;
  const share = warm && own && timeOf(row.engine, warm) / timeOf(row.engine, own);
  return [
    ...cells,
    warm ? significant(warm.median) : '',
    warm ? `${significant(warm.low)}–${significant(warm.high)}` : '',
    warm ? significant(warm.processor) : '',
    share ? `${significant(share)}×` : '',
    counted ? significant(counted.median) : '',
    cold ? significant(cold.median) : '',
    peakMiB === undefined ? '' : count(Math.round(peakMiB)),
    ...(pairs ? [count(pairs.found), count(pairs.missed), count(pairs.false)] : ['', '', '']),
    row.setting,
  ];
}

/** The work of a GPU or of other threads shows only in wall-clock time. */
const onClock = (engine: string): boolean => / gpu( |$)/.test(engine) || engine.endsWith('async');
/** Milliseconds: CPU time, or wall-clock time if CPU time is not meaningful. */
export const timeOf = (engine: string, times: Times): number =>
  onClock(engine) ? times.median : times.processor;

/**
 * Cost minus the fixed cost (the case of 20 triangles), divided by n·log₂ n + the pairs found, where n is the
 * triangles of both bodies. If the column does not rise, growth is no faster. One table per engine.
 */
function* growthTable(cases: readonly CaseResult[]): Generator<string> {
  const [fixed, ...sizes] = cases;
  for (const { engine, warm, cold } of fixed?.rows ?? []) {
    if (!warm || !cold) continue;
    const lines = sizes.flatMap(result => {
      const row = result.rows.find(candidate => candidate.engine === engine);
      if (!row?.warm || !row.cold) return [];
      const figures = { warm: row.warm, cold: row.cold };
      return [tableLine(growthCells(engine, result, figures, { warm, cold }))];
    });
    const clock = onClock(engine) ? 'wall-clock time' : 'CPU time';
    const base = timeOf(engine, warm);
    yield `\n${engine}, ${clock}, minus the fixed cost of ${significant(base)} ms (2 × 20 triangles):\n\n`;
    yield* tableHead([
      ...['triangles', 'pairs', 'query, ms', 'ns per (n·log₂ n + pairs)', 'build, ms', 'ns per n·log₂ n'],
    ]);
    yield* lines;
  }
}

function growthCells(engine: string, result: CaseResult, figures: Figures, fixed: Figures): string[] {
  const { triangles: n, exactPairs = 0 } = result;
  const treeOf = ({ warm, cold }: Figures) => timeOf(engine, cold) - timeOf(engine, warm);
  const query = timeOf(engine, figures.warm) - timeOf(engine, fixed.warm);
  const build = treeOf(figures) - treeOf(fixed);
  const work = n * Math.log2(n);
  const nanoseconds = [(1e6 * query) / (work + exactPairs), (1e6 * build) / work];
  return [
    ...[count(n), count(exactPairs), significant(query), significant(nanoseconds[0])],
    ...[significant(build), significant(nanoseconds[1])],
  ];
}

interface Figures {
  readonly warm: Times;
  readonly cold: Times;
}

/** Mean times per step, as in the paper's figure: CPU time, or wall-clock time if a GPU works. */
function* rotatingTable(cases: readonly CaseResult[]): Generator<string> {
  const engines = cases[0].rows.filter(row => row.warm).map(row => row.engine);
  yield '\nMean over the turn, ms per step:\n\n';
  yield* tableHead(['case', 'pairs a step', ...engines]);
  for (const { name, exactPairs = 0, frames, rows } of cases) {
    const means = engines.map(engine => {
      const row = rows.find(candidate => candidate.engine === engine);
      return row?.warm ? significant(onClock(engine) ? row.warm.mean : row.warm.processorMean) : '';
    });
    yield tableLine([name, count(Math.round(exactPairs / frames)), ...means]);
  }
}

/** The rows beside the paper's own: its milliseconds on a GeForce3 Ti500 and a Pentium 4 of 1.8 GHz, and its points. */
function* proximityTable(cases: readonly CaseResult[]): Generator<string> {
  const engines = cases[0].rows.filter(row => row.warm).map(row => row.engine);
  yield '\nMean over the frames, ms per query, beside the paper (GeForce3, 2002):\n\n';
  yield* tableHead(['case', 'points', 'paper: points', 'paper: ms', ...engines]);
  for (const { name, exactPairs = 0, frames, paper, rows } of cases) {
    const means = engines.map(engine => {
      const row = rows.find(candidate => candidate.engine === engine);
      return row?.warm ? significant(onClock(engine) ? row.warm.mean : row.warm.processorMean) : '';
    });
    const theirs = paper === undefined ? ['', ''] : [count(paper.points ?? 0), count(paper.milliseconds)];
    yield tableLine([name, count(Math.round(exactPairs / frames)), ...theirs, ...means]);
  }
}

/** The rows beside the paper's own, and the pairs that sweep and prune, then images, leave to test. */
function* visibilityTable(cases: readonly CaseResult[]): Generator<string> {
  const engines = cases[0].rows.filter(row => row.warm).map(row => row.engine);
  yield '\nMedian over the frames, ms from new positions to all pairs, beside the paper (GeForce FX 5950, 2004):\n\n';
  yield* tableHead(['case', 'box pairs per frame', 'triangle pairs per frame', 'paper: ms', ...engines]);
  for (const { name, exactPairs = 0, candidates, frames, paper, rows } of cases) {
    const medians = engines.map(engine => {
      const row = rows.find(candidate => candidate.engine === engine);
      return row?.warm ? significant(timeOf(engine, row.warm)) : '';
    });
    yield tableLine([
      name,
      candidates === undefined ? '' : count(Math.round(candidates / frames)),
      count(Math.round(exactPairs / frames)),
      paper === undefined ? '' : paperTime(paper),
      ...medians,
    ]);
  }
  for (const { name, culling } of cases) {
    if (culling === undefined) continue;
    yield `\nWhat images leave to test, before any exact test: ${name}, on ${culling[0].device}:\n\n`;
    yield* tableHead(cullingHeads);
    for (const row of culling) yield tableLine(cullingCells(row));
  }
}

export const cullingHeads: readonly string[] = [
  ...['way to look', 'resolution', 'frames', 'box pairs', 'pairs left', 'times fewer', 'triangles left, %'],
  ...['found', 'missed', 'false', 'ms a frame'],
];

export const cullingCells = (row: CullingRow): string[] => [
  row.way,
  `${row.resolution}²`,
  count(row.frames),
  count(row.boxPairs),
  count(row.pairsLeft),
  significant(row.boxPairs / Math.max(1, row.pairsLeft)),
  significant((100 * row.trianglesLeft) / row.triangles),
  count(row.pairs.found),
  count(row.pairs.missed),
  count(row.pairs.false),
  significant(row.milliseconds),
];

/** The scenes of papers whose figures are compared with ours per case, or as a line through many sizes. */
const imageScenes: readonly string[] = ['raycast', 'layers', 'jaws'];

function* imageTables(
  cases: readonly CaseResult[],
  growth: readonly Growth[] | undefined,
): Generator<string> {
  const timed = cases.map(({ name, paper, series, rows }) => {
    const own = rows.flatMap(({ engine, warm }) => (warm ? [[engine, timeOf(engine, warm)] as const] : []));
    return { name, paper, series, times: new Map(own) };
  });
  for (const [heads, ...lines] of [growthRows(timed, growth), paperRows(timed)]) {
    if (heads === undefined) continue;
    yield '\n';
    yield* tableHead(heads);
    for (const cells of lines) yield tableLine(cells);
  }
}

/** The number of placements whose depth is known to a factor of two, which is what `pairs` counts there. */
function* penetrationTable(cases: readonly CaseResult[]): Generator<string> {
  yield '\nPlacements whose upper bound is at most twice the lower one:\n\n';
  yield* tableHead(['case', 'placements', 'within a factor of two']);
  for (const { name, question, exactPairs = 0, frames } of cases) {
    const share = `${count(exactPairs)} (${Math.round((100 * exactPairs) / frames)} %)`;
    yield tableLine([`${name}: ${questions[question]}`, count(frames), share]);
  }
}

function* particleTable(rows: readonly ParticleRow[]): Generator<string> {
  yield `\n## particles\n\n${particleNote}\n\n`;
  yield* tableHead(particleHeads);
  for (const row of rows) yield tableLine(particleCells(row));
}

function* tableHead(cells: readonly string[]): Generator<string> {
  yield tableLine(cells);
  yield tableLine(cells.map(() => '---'));
}

const tableLine = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
/** 12,345 */
export const count = (value: number): string => value.toLocaleString('en');

/** Three significant digits, never in powers of ten. */
export function significant(value: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 6));
}
