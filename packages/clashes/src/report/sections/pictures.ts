// The pictures: the assembly with a numbered pin at every pair to fix, and a card per pictured pair.

import type { Relation } from 'nearfield';
import { isToFix, verdictOf } from '../../severity/order.ts';
import { project } from '../draw/camera.ts';
import { type Overview, type PairPicture, palette } from '../draw/picture.ts';
import type { Color } from '../draw/rasterise.ts';
import {
  badge,
  depth,
  escapeHtml,
  length,
  number,
  plural,
  relationWords,
  verdictBadge,
  when,
} from '../html.ts';
import { notesOf, remarkOf } from '../table/data.ts';
import type { ReportBody, ReportInput, ReportPair } from '../types.ts';

/** A picture that is drawn, and encoded for the page. */
export interface DrawnPair extends Pick<PairPicture, 'center'> {
  readonly uri: string;
  readonly width: number;
  readonly height: number;
}

/** How many pairs are pictured, and up to which of them pairs that only touch are. */
const usualTouching = 6;

/**
 * How many of the pairs, the most important first, get pictures: those to fix. Only if they are few, some that touch are
 * shown too. What is forgiven is not.
 */
export function picturedCount(pairs: readonly ReportPair[], most: number): number {
  const upTo = (...verdicts: string[]) => {
    const end = pairs.findIndex(pair => !verdicts.includes(verdictOf(pair)));
    return end === -1 ? pairs.length : end;
  };
  const fix = upTo('clash', 'too-close');
  return Math.min(most, Math.max(fix, Math.min(usualTouching, upTo('clash', 'too-close', 'touching'))));
}

const swatch = (color: Color): string => `<i class="swatch" style="background:rgb(${color.join(' ')})"></i>`;

/** The assembly, with a numbered pin at every pictured pair to fix. */
export function overviewFigure(
  { bodies, motion }: ReportInput,
  shown: readonly ReportPair[],
  drawn: readonly DrawnPair[],
  { camera, pixels: { width, height }, shown: seen }: Overview,
  uri: string,
): string {
  const pins = shown.flatMap((pair, i) => {
    if (pair.relation === 'touching' || pair.when?.frame !== motion?.frame) return [];
    const [x, y] = project(camera, drawn[i].center);
    return [{ number: i + 1, x, y, pair }];
  });
  separatePins(pins, 44);
  const marks = pins.map(({ number: n, x, y, pair }) => {
    const place = `left:${((100 * x) / width).toFixed(2)}%;top:${((100 * y) / height).toFixed(2)}%`;
    const names = `${bodies[pair.a].name} and ${bodies[pair.b].name}`;
    return `<a class="pin" style="${place}" href="#pair-${n}" title="${escapeHtml(names)}">${n}</a>`;
  });
  const frame = motion ? `Frame ${motion.frame}. ` : '';
  const legend = [
    ...(seen.involved ? [`${swatch(palette.involved)} bodies that clash`] : []),
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
<div class="stage"><img src="${uri}" width="${width}" height="${height}" alt="The whole assembly">${marks.join('')}</div>
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

export function pictureSection(
  input: ReportInput,
  pairs: readonly ReportPair[],
  shown: readonly ReportPair[],
  drawn: readonly DrawnPair[],
): string {
  if (shown.length === 0) return '';
  const note =
    shown.length < pairs.length
      ? ` Pictures of ${number(shown.length)} of the ${number(pairs.length)} pairs, in the order of the table below, which lists all pairs.`
      : '';
  const noteOf = notesOf(input.bodies);
  const cards = shown.map((pair, i) => card(input, pair, i, drawn[i], noteOf));
  return `<section>
<h2>${shown.some(isToFix) ? 'The most serious' : 'Pictures'}</h2>
<p class="note">${shown.some(isToFix) ? `${orderInWords(shown)} ` : ''}Each picture has the two parts of a pair alone. ${pictureNotes(shown, input.motion !== undefined).join(' ')}${note}</p>
<div class="cards">${cards.join('\n')}</div>
</section>`;
}

/** The order of what is to be fixed. */
const orderInWords = (shown: readonly ReportPair[]): string =>
  new Set(shown.map(({ severity }) => severity)).size > 1
    ? 'The most severe first, then the deepest.'
    : 'The deepest first.';

function card(
  { bodies, unitName, tests }: ReportInput,
  pair: ReportPair,
  i: number,
  drawn: DrawnPair,
  noteOf: (body: ReportBody) => string,
): string {
  const { uri, width, height } = drawn;
  const [a, b] = [bodies[pair.a], bodies[pair.b]];
  const verdict = verdictOf(pair);
  const named = (body: typeof a, color: string) => {
    const note = noteOf(body);
    return `<span class="part">${color}<span>${escapeHtml(body.name)}${note && `<small>${escapeHtml(note)}</small>`}</span></span>`;
  };
  const tags = [
    verdictBadge(verdict),
    ...(pair.relation === 'touching' || verdict === 'too-close' ? [] : [badge(pair.relation)]),
    ...(pair.change === undefined || pair.change === 'same'
      ? []
      : [`<span class="word ${pair.change}">${pair.change}</span>`]),
    ...(pair.status === undefined
      ? []
      : [`<span class="word ${pair.status.status}">${pair.status.status}</span>`]),
    ...(pair.severity === undefined ? [] : [`<span class="word ${pair.severity}">${pair.severity}</span>`]),
  ];
  const facts = [
    when(pair.test, test => escapeHtml(tests?.[test].name ?? '')),
    when(pair.depthBefore, before => `was ${escapeHtml(depth(before, unitName))} deep`),
    when(pair.volume, volume => `${escapeHtml(length(volume, unitName && `${unitName}³`))} in common`),
    when(pair.place, ([...at]) => `at ${at.map(value => Number(value.toPrecision(6))).join(', ')}`),
    pair.triangleCount > 0 ? plural(pair.triangleCount, 'triangle pair') : '',
    when(pair.when, ({ frame }) => `frame ${frame}`),
    when(remarkOf(pair), escapeHtml),
    when(pair.clash, clash => `<code>${escapeHtml(clash)}</code>`),
  ].filter(fact => fact !== '');
  const alt = `${a.name} and ${b.name}: ${relationWords(pair.relation)}`;
  return `<figure class="card" id="pair-${i + 1}">
<div class="stage"><img loading="lazy" src="${uri}" width="${width}" height="${height}" alt="${escapeHtml(alt)}"><span class="count">${i + 1}</span><button type="button" class="turn js-only" data-view="${i}" aria-label="${escapeHtml(`Turn around: ${a.name} and ${b.name}`)}">Turn around</button></div>
<figcaption><span class="measure">${escapeHtml(measureOf(pair, unitName))}</span><span class="tags">${tags.join(' ')}</span>
${named(a, colors(pair).a)}${named(b, colors(pair).b)}<span class="more">${facts.join(' · ')}</span></figcaption>
</figure>`;
}

/** The one number that says how bad it is. */
function measureOf(
  { depth: deep, distance, relation, undecided }: ReportPair,
  unit: string | undefined,
): string {
  if (distance !== undefined) return `${length(distance, unit)} apart`;
  if (relation === 'touching') return 'touching';
  if (deep === undefined || deep.upper === 0) return relationWords(relation);
  return `${depth(deep, unit)} deep${undecided ? ', undecided' : ''}`;
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
  if (isMotion) notes.push('Each pair is shown in its worst frame.');
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

/** The dialog in which a pair is turned around. The page's script fills it. */
export const viewerDialog = `<dialog id="viewer" aria-label="Turn a pair around">
<div class="bar"><button type="button" data-do="previous" aria-label="Previous pair">‹</button><span class="which"></span><button type="button" data-do="next" aria-label="Next pair">›</button>
<fieldset><legend>Show</legend><label><input type="radio" name="only" value="both" checked>both</label><label><input type="radio" name="only" value="a">only A</label><label><input type="radio" name="only" value="b">only B</label></fieldset>
<label><input type="checkbox" name="glass">see through</label>
<button type="button" data-do="fit">Fit</button><button type="button" data-do="picture">As pictured</button>
<button type="button" class="close" data-do="close">Close</button></div>
<div class="scene"><canvas aria-label="The two parts, to be turned with the mouse or by touch"></canvas><p class="message" role="status"></p><p class="hint">Drag to turn, right drag or two fingers to move, wheel to zoom.</p></div>
<div class="about"></div>
</dialog>`;
