// Writes one self-contained HTML file: a picture of the assembly with numbered contacts, a picture of each
// interference, the table of pairs and the table of bodies. It loads no other file.

import type { Pixels } from '@nearfield/io/png';
import { notSolid, whyNotSolid } from '../assembly/solids.ts';
import { project, type Vector } from './draw/camera.ts';
import { drawOverview, drawPair, palette, rememberNormals } from './draw/picture.ts';
import type { Color } from './draw/rasterise.ts';
import { badge, escapeHtml, number, plural, relationWords, truncated } from './html.ts';
import { frameTable, overviewOf, pairInput, spans } from './motion.ts';
import { style } from './style.ts';
import { listing, type Relation, type ReportBody, type ReportInput, type ReportPair } from './types.ts';

/** Encodes a picture as a data URI. The encoder depends on where the report is written. */
export type Encode = (pixels: Pixels) => string | Promise<string>;

export interface ReportOptions {
  /** The maximum number of pairs with pictures; interferences come before contact. */
  pictures?: number;
  /** The maximum number of rows per table. */
  rows?: number;
  /** Samples per pixel along each side of a picture: 1 is fast and rough. */
  samples?: number | undefined;
  signal?: AbortSignal | undefined;
  /** The share that is done, 0 to 1. */
  progress?: ((done: number) => void) | undefined;
}

export async function writeReport(
  input: ReportInput,
  encode: Encode,
  { pictures = 12, rows = 1000, samples = 2, signal, progress }: ReportOptions = {},
): Promise<string> {
  const pairs = [...input.pairs].sort(
    (p, q) => listing.indexOf(p.relation) - listing.indexOf(q.relation) || p.a - q.a || p.b - q.b,
  );
  const normalsOf = rememberNormals();
  const size = { width: 600, height: 412, samples };
  const shown = pairs.slice(0, pictures);
  const drawn: DrawnPair[] = [];
  for (const [i, pair] of shown.entries()) {
    signal?.throwIfAborted();
    progress?.((i + 1) / (shown.length + 1));
    const { pixels, center } = drawPair(pairInput(input, pair), pair, normalsOf, size);
    drawn.push({ center, width: pixels.width, height: pixels.height, uri: await encode(pixels) });
  }
  const title = input.title ?? 'Interference report';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<p class="kicker">Nearfield interference report</p>
<h1>${escapeHtml(title)}</h1>
<p class="summary">${summary(input)}</p>
${solidsNote(input)}<ul class="tally">${tally(pairs)}</ul>
</header>
${await overview(input, shown, drawn, normalsOf, encode, samples)}
${pictureSection(input, pairs, shown, drawn)}
${pairTable(input, pairs, shown, rows)}
${frameTable(input, pairs, shown.length, rows)}
${bodyTable(input, rows)}
</main>
<footer>${footer(input)}</footer>
</body>
</html>
`;
}

interface DrawnPair {
  readonly uri: string;
  readonly width: number;
  readonly height: number;
  /** The world position of the contact. */
  readonly center: Vector;
}

const milliseconds = (value: number): string =>
  value < 10
    ? `${value.toFixed(2)} ms`
    : value < 1000
      ? `${value.toFixed(0)} ms`
      : `${(value / 1000).toFixed(2)} s`;
const significant = (value: number): string => String(Number(value.toPrecision(9)));
const rgb = (color: Color): string => `rgb(${color.join(' ')})`;
const swatch = (color: Color): string => `<i class="swatch" style="background:${rgb(color)}"></i>`;

function summary({ bodies, pairs, motion, clearance, backend, timing }: ReportInput): string {
  const triangles = bodies.reduce((sum, body) => sum + body.triangles, 0);
  const found = pairs.filter(({ relation }) => relation !== 'separate').length;
  const near = pairs.length - found;
  const what = found === 0 ? 'no pair meets' : `${plural(found, 'pair')} ${found === 1 ? 'meets' : 'meet'}`;
  const where = motion ? `, ${plural(motion.frameCount, 'frame')}` : '';
  const meeting = motion?.frames.filter(frame => frame.pairs.some(({ relation }) => relation !== 'separate'));
  const when = meeting && found > 0 ? `, in ${plural(meeting.length, 'frame')}` : '';
  const close =
    near > 0 ? `; ${plural(near, 'pair')} ${near === 1 ? 'is' : 'are'} closer than ${clearance}` : '';
  return `${plural(bodies.length, 'body', 'bodies')} with ${plural(triangles, 'triangle')}${where}: ${what}${when}${close}.
Found in ${milliseconds(timing.query)} on the ${backend.kind.toUpperCase()} (${escapeHtml(backend.name)}).`;
}

function solidsNote({ bodies }: ReportInput): string {
  const surfaces = bodies.length > 1 ? notSolid(bodies) : undefined;
  return surfaces === undefined ? '' : `<p class="summary warning">${escapeHtml(surfaces)}.</p>\n`;
}

const surfaceOf = (body: ReportBody): string =>
  body.solid ? 'closed' : body.triangles === 0 ? 'empty' : `<b>${whyNotSolid(body)}</b>`;

function tally(pairs: readonly ReportPair[]): string {
  return listing
    .map(relation => ({ relation, count: pairs.filter(pair => pair.relation === relation).length }))
    .filter(({ count }) => count > 0)
    .map(({ relation, count }) => `<li>${badge(relation)} <b>${number(count)}</b></li>`)
    .join('');
}

/** The assembly, with a numbered pin at every interference that has a picture. */
async function overview(
  input: ReportInput,
  shown: readonly ReportPair[],
  drawn: readonly DrawnPair[],
  normalsOf: (body: ReportBody) => Float32Array,
  encode: Encode,
  samples: number,
): Promise<string> {
  if (input.bodies.every(({ triangles }) => triangles === 0)) return '';
  const size = { width: 1120, height: 700, samples };
  const { pixels, camera, shown: seen } = drawOverview(overviewOf(input), normalsOf, size);
  const { motion } = input;
  const pins = shown.flatMap((pair, i) => {
    if (pair.relation === 'touching' || pair.when?.frame !== motion?.frame) return [];
    const [x, y] = project(camera, drawn[i].center);
    return [{ number: i + 1, x, y, pair }];
  });
  separatePins(pins, 44);
  const marks = pins.map(({ number: n, x, y, pair }) => {
    const place = `left:${((100 * x) / size.width).toFixed(2)}%;top:${((100 * y) / size.height).toFixed(2)}%`;
    const names = `${input.bodies[pair.a].name} and ${input.bodies[pair.b].name}`;
    return `<a class="pin" style="${place}" href="#pair-${n}" title="${escapeHtml(names)}">${n}</a>`;
  });
  const frame = motion ? `Frame ${motion.frame}. ` : '';
  const legend = [
    ...(seen.involved ? [`${swatch(palette.involved)} bodies that interfere`] : []),
    ...(seen.mark ? [`${swatch(palette.mark)} triangles that meet, or a body inside another`] : []),
    ...(seen.rest ? [`${swatch(palette.rest[0])} ${seen.involved || seen.mark ? 'other ' : ''}bodies`] : []),
  ];
  const sentences = [
    ...(legend.length > 1 ? [`${legend.join(' ')}.`] : []),
    ...(seen.glass ? ['Bodies that contain others are transparent.'] : []),
    ...(pins.length > 0
      ? [`Click a number for its picture below${motion ? ' (pairs of this frame)' : ''}.`]
      : []),
  ];
  return `<figure class="overview">
<div class="stage"><img src="${await encode(pixels)}" width="${size.width}" height="${size.height}" alt="The whole assembly">${marks.join('')}</div>
<figcaption>${frame}${sentences.join(' ')}</figcaption>
</figure>`;
}

/** Pushes overlapping pins apart, a little at a time. */
function separatePins(pins: { x: number; y: number }[], distance: number): void {
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < pins.length; i++) {
      for (let j = i + 1; j < pins.length; j++) {
        const [p, q] = [pins[i], pins[j]];
        const [dx, dy] = [q.x - p.x || 0.5, q.y - p.y || 0.5];
        const apart = Math.hypot(dx, dy);
        if (apart >= distance) continue;
        const push = (distance - apart) / 2 / apart;
        p.x -= dx * push;
        p.y -= dy * push;
        q.x += dx * push;
        q.y += dy * push;
      }
    }
  }
}

function pictureSection(
  { bodies, motion }: ReportInput,
  pairs: readonly ReportPair[],
  shown: readonly ReportPair[],
  drawn: readonly DrawnPair[],
): string {
  if (shown.length === 0) return '';
  const total = pairs.length;
  const note =
    shown.length < total
      ? `<p class="note">Pictures of ${number(shown.length)} of the ${number(total)} pairs, in the order of the table below, which lists all pairs.</p>`
      : '';
  const cards = shown.map((pair, i) => {
    const { uri, width, height } = drawn[i];
    const [a, b] = [bodies[pair.a], bodies[pair.b]];
    return `<figure class="card" id="pair-${i + 1}">
<div class="stage"><img loading="lazy" src="${uri}" width="${width}" height="${height}" alt="${escapeHtml(`${a.name} and ${b.name}: ${relationWords(pair.relation)}`)}"></div>
<figcaption><span class="count">${i + 1}</span><span class="names">${colors(pair).a}${escapeHtml(a.name)}<br>${colors(pair).b}${escapeHtml(b.name)}</span>
<span class="facts">${badge(pair.relation)}<br>${pair.distance === undefined ? plural(pair.triangleCount, 'triangle pair') : `${significant(pair.distance)} apart`}${pair.when ? `<br>frame ${pair.when.frame}` : ''}</span></figcaption>
</figure>`;
  });
  return `<section>
<h2>Pictures</h2>
<p class="note">The two bodies of each pair alone. ${pictureNotes(shown, motion !== undefined).join(' ')}</p>
${note}<div class="cards">${cards.join('\n')}</div>
</section>`;
}

/** A legend for the pictures that are there. */
function pictureNotes(shown: readonly ReportPair[], isMotion: boolean): string[] {
  const has = (...relations: Relation[]) => shown.some(({ relation }) => relations.includes(relation));
  const meeting = has('crossing')
    ? has('touching')
      ? 'red, or teal if the bodies only touch'
      : 'red'
    : 'teal';
  const notes: string[] = [];
  if (has('crossing', 'touching')) {
    notes.push(
      `Triangles that meet the other body are ${meeting}, strongest along the line of contact, which is white.`,
    );
  }
  if (has('separate')) notes.push('A purple line joins the nearest points of bodies that are too close.');
  notes.push('A body that would hide the contact is transparent.');
  if (has('coincident')) notes.push('Two bodies in one place are striped.');
  if (isMotion)
    notes.push(
      'Each pair is shown in its worst frame: the relation highest in the order of the table, with the most triangle pairs.',
    );
  return notes;
}

/** The colours of the two bodies in their picture. */
function colors({ relation }: ReportPair): { a: string; b: string } {
  const inner = swatch(palette.mark);
  return {
    a: relation === 'inside' ? inner : swatch(palette.a),
    b: relation === 'contains' ? inner : swatch(palette.b),
  };
}

function pairTable(
  { bodies, motion }: ReportInput,
  pairs: readonly ReportPair[],
  shown: readonly ReportPair[],
  limit: number,
): string {
  if (pairs.length === 0) return '<section><h2>Pairs</h2><p>All bodies are separate.</p></section>';
  const measured = pairs.some(({ distance }) => distance !== undefined);
  const lines = pairs.slice(0, limit).map((pair, i) => {
    const away = pair.distance === undefined ? '' : significant(pair.distance);
    const picture = i < shown.length ? `<a href="#pair-${i + 1}">${i + 1}</a>` : `${i + 1}`;
    return `<tr><td class="n">${picture}</td><td>${escapeHtml(bodies[pair.a].name)}</td><td>${escapeHtml(bodies[pair.b].name)}</td>
<td>${badge(pair.relation)}</td><td class="n">${number(pair.triangleCount)}</td>${measured ? `<td class="n">${away}</td>` : ''}${pair.when ? `<td class="n">${pair.when.frame}</td><td>${spans(pair.when.frames)}</td>` : ''}</tr>`;
  });
  return `<section>
<h2>Pairs</h2>
${truncated(pairs.length, limit)}<div class="scroll"><table>
<thead><tr><th class="n">#</th><th>Body</th><th>Body</th><th>Relation</th><th class="n">Triangle pairs</th>${measured ? '<th class="n">Distance</th>' : ''}${motion ? '<th class="n">Worst in frame</th><th>Found in frames</th>' : ''}</tr></thead>
<tbody>${lines.join('\n')}</tbody>
</table></div>
</section>`;
}

function bodyTable({ bodies, pairs }: ReportInput, limit: number): string {
  const meets = new Uint32Array(bodies.length);
  for (const { a, b, relation } of pairs) {
    if (relation === 'separate') continue;
    meets[a]++;
    meets[b]++;
  }
  const withFiles = bodies.some(({ file }) => file !== undefined);
  const lines = bodies.slice(0, limit).map(
    (
      body,
      i,
    ) => `<tr><td class="n">${i}</td><td>${escapeHtml(body.name)}</td>${withFiles ? `<td>${escapeHtml(body.file ?? '')}</td>` : ''}
<td class="n">${number(body.triangles)}</td><td class="n">${number(body.vertices)}</td><td>${surfaceOf(body)}</td><td class="n">${number(meets[i])}</td></tr>`,
  );
  return `<section>
<h2>Bodies</h2>
${truncated(bodies.length, limit)}<details${bodies.length <= 12 ? ' open' : ''}><summary>${plural(bodies.length, 'body', 'bodies')}</summary>
<div class="scroll"><table>
<thead><tr><th class="n">Index</th><th>Name</th>${withFiles ? '<th>File</th>' : ''}<th class="n">Triangles</th><th class="n">Vertices</th><th>Surface</th><th class="n">Meets</th></tr></thead>
<tbody>${lines.join('\n')}</tbody>
</table></div></details>
</section>`;
}

function footer({ backend, method, timing, version }: ReportInput): string {
  const steps = (['read', 'build', 'query'] as const).flatMap(step => {
    const value = timing[step];
    return value === undefined ? [] : [`${step} ${milliseconds(value)}`];
  });
  return `Nearfield ${escapeHtml(version)} · method ${escapeHtml(method)} · ${escapeHtml(backend.kind)}: ${escapeHtml(backend.name)} · ${steps.join(', ')}`;
}
