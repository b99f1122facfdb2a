// Writes one self-contained HTML file for people who were not there: the verdict, pictures of the most serious pairs, the
// clash matrix, groups, a table of all pairs that sorts and filters, a viewer to turn a pair around, and what all this
// rests on. It loads no other file.

import type { Pixels } from '@nearfield/io/png';
import type { Group } from '../assembly/types.ts';
import { byImportance } from '../severity/order.ts';
import { finishInTurns, Pauses, shareOf, sortVisits } from '../steps/pauses.ts';
import { itemsPerStep, type Steps } from '../steps/steps.ts';
import { type NormalsOf, overviewSteps, pairSteps, rememberNormals } from './draw/picture.ts';
import { embedded, escapeHtml } from './html.ts';
import { frameTable, overviewOf, pairInput } from './motion.ts';
import { notices, tableScript, viewerScript } from './page-scripts.ts';
import { basisSection, footer } from './sections/basis.ts';
import { bodySection } from './sections/bodies.ts';
import { groupSection, groupsOf } from './sections/groups.ts';
import { matrixSection } from './sections/matrix.ts';
import { pairSection } from './sections/pairs.ts';
import {
  type DrawnPair,
  overviewFigure,
  picturedCount,
  pictureSection,
  viewerDialog,
} from './sections/pictures.ts';
import { summary } from './sections/summary.ts';
import { style } from './style.ts';
import { type TableData, tableData } from './table/data.ts';
import type { ReportInput, ReportPair } from './types.ts';
import { type ViewerData, ViewerPacker } from './viewer/data.ts';

/** Encodes a picture as a data URI. The encoder depends on where the report is written. */
export type Encode = (pixels: Pixels) => string | Promise<string>;

export interface ReportOptions {
  /** The maximum number of pairs with pictures: the most serious ones. */
  pictures?: number;
  /** The maximum number of rows per table, other than that of the pairs. */
  rows?: number;
  /** Samples per pixel along each side of a picture: 1 is fast and rough. */
  samples?: number | undefined;
  /** Looked at several times a second. */
  signal?: AbortSignal | undefined;
  /** The share that is done, 0 to 1. */
  progress?: ((done: number) => void) | undefined;
}

export async function writeReport(
  input: ReportInput,
  encode: Encode,
  { pictures = 12, rows = 1000, ...options }: ReportOptions = {},
): Promise<string> {
  const pauses = new Pauses(options.signal);
  const { progress } = options;
  const { length: count } = input.pairs;
  const [ordered, listed] = sharesOf(input);
  const part = (from: number, to: number, visits: number) => shareOf({ progress, from, to }, visits);
  const order = part(0, ordered, sortVisits(count));
  const pairs = await pauses.finish(byImportance(input.pairs), order);
  const shown = pairs.slice(0, picturedCount(pairs, pictures));
  const drawn = await drawPictures(input, shown, encode, {
    ...options,
    progress: progress && (done => progress(ordered + (listed - ordered) * done)),
  });
  const after = (share: number) => listed + share * (1 - listed);
  const groups = await pauses.finish(groupsOf(input), part(listed, after(0.5), 4 * count));
  const data = tableData(input, pairs, groups, shown.length);
  const table = await pauses.finish(data, part(after(0.5), after(0.9), 2 * count));
  const sections = page(input, pairs, shown, groups, table, drawn, rows);
  const html = await pauses.finish(sections, part(after(0.9), 1, sectionCount * itemsPerStep));
  progress?.(1);
  return html;
}

/** How many sections a page has. */
const sectionCount = 9;

// About how long the parts of a report take, in microseconds: what is done per body and per pair before the pictures, the
// pictures, and what is done per pair after them.
const [perBody, perPairBefore, pictureTime, perPairAfter] = [8, 6, 3e6, 20];

/** The share of an assembly's report in which its bodies and pairs are prepared for pictures. */
export function preparedShare(bodies: number, pairs: number): number {
  const before = bodies * perBody + pairs * perPairBefore;
  return before / (before + pictureTime + pairs * perPairAfter);
}

/** The shares of a report at which pictures begin and end. */
function sharesOf({ pairs }: ReportInput): [number, number] {
  const [before, after] = [pairs.length * perPairBefore, pairs.length * perPairAfter];
  const total = before + pictureTime + after;
  return [before / total, (before + pictureTime) / total];
}

/** About how many steps a picture of a pair has: two bodies from three dozen directions, and once in full. */
const stepsPerPair = 110;
/** And the overview per body: its normals, four directions, and once in full. */
const stepsPerBody = 7;

interface Drawn {
  readonly overview: string;
  readonly pairs: readonly DrawnPair[];
  readonly geometry: ViewerData;
}

/** Draws the pairs and the overview, and collects the geometry of the pairs for the viewer. */
async function drawPictures(
  input: ReportInput,
  shown: readonly ReportPair[],
  encode: Encode,
  { samples = 2, signal, progress }: ReportOptions,
): Promise<Drawn> {
  const normalsOf: NormalsOf = rememberNormals();
  const { bodies } = input;
  const all = bodies.reduce((sum, { triangles }) => sum + triangles, 0);
  // How long pictures take, in triangles: their pixels, and all directions from which they are tried.
  const costs = shown.map(({ a, b }) => 200_000 + bodies[a].triangles + bodies[b].triangles);
  const overviewCost = all === 0 ? 0 : 400_000 + all + 30 * bodies.length;
  const total = costs.reduce((sum, cost) => sum + cost, overviewCost) || 1;
  let done = 0;
  /** Reports progress within a picture, by its steps; large bodies have more of them than expected. */
  const within = (cost: number, expected: number) => (steps: number) =>
    progress?.((done + cost * Math.min(0.95, steps / expected)) / total);
  const size = { width: 600, height: 412, samples };
  const drawn: DrawnPair[] = [];
  const packer = new ViewerPacker();
  for (const [i, pair] of shown.entries()) {
    const placed = pairInput(input, pair);
    const steps = pairSteps(placed, pair, normalsOf, size);
    const picture = await finishInTurns(steps, signal, within(costs[i], stepsPerPair));
    const { center, pixels } = picture;
    drawn.push({ center, width: pixels.width, height: pixels.height, uri: await encode(pixels) });
    await packer.add(placed.bodies, pair, picture);
    progress?.((done += costs[i]) / total);
  }
  const geometry = packer.data();
  if (all === 0) return { overview: '', pairs: drawn, geometry };
  const wide = { width: 1120, height: 630, samples };
  const steps = overviewSteps(overviewOf(input), normalsOf, wide);
  const count = within(overviewCost, stepsPerBody * bodies.length + 20);
  const overview = await finishInTurns(steps, signal, count);
  const uri = await encode(overview.pixels);
  signal?.throwIfAborted();
  progress?.(1);
  return { overview: overviewFigure(input, shown, drawn, overview, uri), pairs: drawn, geometry };
}

/**
 * What the page may do: run its own two scripts, known by their hashes, and show pictures that it carries. Names come
 * from files of strangers; should one of them ever get past the escapes, it still cannot run anything or send anything.
 * Styles are allowed as they are: places of pins and colours of swatches are style attributes.
 */
const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src '${tableScript.hash}' '${viewerScript.hash}'; base-uri 'none'; form-action 'none'`;

function* page(
  input: ReportInput,
  pairs: readonly ReportPair[],
  shown: readonly ReportPair[],
  groups: readonly Group[],
  data: TableData,
  drawn: Drawn,
  rows: number,
): Steps<string> {
  const sections: string[] = [];
  for (const section of [
    () => summary(input),
    () => drawn.overview,
    () => pictureSection(input, pairs, shown, drawn.pairs),
    () => matrixSection(input),
    () => groupSection(input, groups, pairs, shown.length),
    () => pairSection(data, rows),
    () => frameTable(input, pairs, shown.length, rows),
    () => bodySection(input, rows),
    () => basisSection(input),
  ]) {
    sections.push(section());
    yield;
  }
  const title = input.title ?? 'Interference report';
  const viewer = `${viewerDialog}
<script type="application/json" id="geometry">${embedded(JSON.stringify(drawn.geometry))}</script>
<!--
${notices}-->
<script type="text/plain" id="viewer-code">${viewerScript.packed}</script>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${sections.join('\n')}
</main>
<footer>${footer(input)}</footer>
${shown.length > 0 ? viewer : ''}
<script>${tableScript.code}</script>
</body>
</html>
`;
}
