// `nearfield sample hail`: hail on a house, a gazebo, a table and cans. Prints a table per step, and writes the sound
// (WAV), a picture (PNG) and a list of all impacts (JSON).

import { mkdir } from 'node:fs/promises';
import { list } from '@nearfield/clashes';
import { encodePng } from '@nearfield/io/png';
import {
  brought,
  carried,
  createHail,
  encodeWave,
  type Hail,
  Synthesiser,
  stoneRadius,
  turned,
} from '@nearfield/samples';
import { type Impact, type Nearfield, NearfieldError, type Vector } from 'nearfield';
import { openLibrary } from '../../backend.ts';
import { Files } from '../../files.ts';
import { Progress } from '../../output/progress.ts';
import { isOutputClosed, say, type Terminal } from '../../output/terminal.ts';
import { version } from '../../version.ts';
import { parseBackend } from '../options.ts';
import { drawHail, type HailPicture } from './hail-picture.ts';
import { row } from './row.ts';

export interface HailOptions {
  readonly backend: string;
  readonly out?: string | undefined;
}

export const usualHailSteps = 480;
const stepSeconds = 1 / 60;
/** Samples per second. */
const rate = 44_100;
/** Seconds of sound after the last impact, for what still rings. */
const ringing = 1;
const lines = 20;

type Format = 'wav' | 'png' | 'json';
const formats: readonly Format[] = ['wav', 'png', 'json'];
const what: Readonly<Record<Format, string>> = { wav: 'sound', png: 'picture', json: 'list of impacts' };

/** What to write, and where: one file by its extension, or a folder with one of each. */
function outputsOf(out: string | undefined): {
  folder?: string;
  files: readonly (readonly [Format, string])[];
} {
  if (out === undefined) return { files: [] };
  const ending = /\.([^./\\]+)$/.exec(out)?.[1].toLowerCase();
  if (ending === undefined) {
    const folder = out.replace(/[/\\]+$/, '') || out;
    return { folder, files: formats.map(format => [format, `${folder}/hail.${format}`]) };
  }
  const format = formats.find(known => known === ending);
  if (format !== undefined) return { files: [[format, out]] };
  throw new NearfieldError(
    'bad-option',
    `--out of hail must end in .wav (sound), .png (picture) or .json (impacts), or be a folder for all three, not "${out}"`,
  );
}

export async function sampleHail(steps: number, options: HailOptions, terminal: Terminal): Promise<number> {
  const { folder, files: outputs } = outputsOf(options.out);
  const files = new Files(terminal.cwd, message => say(terminal, message));
  if (folder !== undefined) await makeFolder(files, folder);
  for (const [, name] of outputs) await files.checkOutput(name, '--out');
  const progress = new Progress(terminal);
  const nf = await openLibrary(parseBackend(options.backend));
  try {
    progress.stage('making the scene');
    const hail = await createHail(nf);
    const impacts = await runHail(hail, steps, nf, progress, terminal, outputs.length > 0);
    for (const text of wholeTable(hail, impacts)) await terminal.out(text);
    const seconds = steps * stepSeconds;
    for (const [format, name] of outputs) {
      progress.stage(`making the ${what[format]}`);
      if (format === 'json') await files.write(name, '--out', hailJson(hail, nf, impacts));
      else {
        const bytes =
          format === 'wav' ? soundOf(hail, impacts, seconds) : await pictureOf(hail, impacts, seconds);
        await files.write(name, '--out', bytes);
      }
      progress.clear();
      say(terminal, `the ${what[format]} is in ${name}`);
    }
    hail.close();
    return 0;
  } finally {
    progress.clear();
    nf.close();
  }
}

/** Make the folder before the work; no output can be written without it. */
async function makeFolder(files: Files, folder: string): Promise<void> {
  try {
    await mkdir(files.path(folder), { recursive: true });
  } catch {
    throw new NearfieldError('bad-file', `--out: ${folder}: cannot create this folder`);
  }
}

/** Prints the table step by step, and keeps every impact. */
async function runHail(
  hail: Hail,
  steps: number,
  nf: Nearfield,
  progress: Progress,
  terminal: Terminal,
  hasOutputs: boolean,
): Promise<Impact[]> {
  progress.clear();
  const { count } = hail.particles;
  await terminal.out(
    `hail: ${count.toLocaleString('en-US')} stones, ${hail.parts.length} colliders; on ${nf.backend}\n\n`,
  );
  await terminal.out(row(['step', 'time', 'flying', 'lying', 'impacts', 'fastest', 'ms per step']));
  const every = Math.max(1, Math.round(steps / lines));
  const all: Impact[] = [];
  let [since, counted] = [performance.now(), 0];
  progress.stage('hailing');
  for (let i = 1; i <= steps; i++) {
    terminal.signal.throwIfAborted();
    if (isOutputClosed(terminal) && !hasOutputs) break;
    const { impacts, time } = await hail.step(stepSeconds);
    all.push(...impacts);
    progress.update(i / steps);
    if (i % every !== 0 && i !== steps) continue;
    const took = (performance.now() - since) / (i % every || every);
    const { alive } = await hail.particles.state(time);
    const fresh = all.slice(counted);
    counted = all.length;
    progress.clear();
    await terminal.out(
      row([
        ...[`${i}`, time.toFixed(3)],
        ...[1, 2].map(state =>
          alive.reduce((sum, own) => sum + (own === state ? 1 : 0), 0).toLocaleString('en-US'),
        ),
        fresh.length.toLocaleString('en-US'),
        fresh.reduce((most, { speed }) => Math.max(most, speed), 0).toFixed(1),
        took.toFixed(1),
      ]),
    );
    since = performance.now();
  }
  return all;
}

/** One line per object: impacts on all its parts, and the hardest one. */
function* wholeTable({ parts }: Hail, impacts: readonly Impact[]): Generator<string> {
  const wholes = [...new Set(parts.map(({ whole }) => whole))];
  const cells = wholes.map(whole => {
    const those = impacts.filter(({ collider }) => parts[collider].whole === whole);
    const count = (outcome: string) => those.filter(impact => impact.outcome === outcome).length;
    const fastest = those.reduce((most, { normalSpeed }) => Math.max(most, normalSpeed), 0);
    return [
      whole,
      ...[those.length, count('bounce'), count('rest')].map(n => n.toLocaleString('en-US')),
      fastest.toFixed(1),
    ];
  });
  const heads = ['on', 'impacts', 'bounce', 'rest', 'hardest, m/s'];
  const widths = heads.map((head, i) => Math.max(head.length, ...cells.map(own => own[i].length)));
  const line = (own: readonly string[]) =>
    `  ${own.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')}\n`;
  yield `\n${line(heads)}${line(widths.map(width => '─'.repeat(width)))}`;
  for (const own of cells) yield line(own);
}

function soundOf({ sounding, strikesOf }: Hail, impacts: readonly Impact[], seconds: number): Uint8Array {
  const synthesiser = new Synthesiser(sounding, rate);
  synthesiser.add(strikesOf(impacts));
  return encodeWave(synthesiser.next(Math.round((seconds + ringing) * rate)), rate);
}

const [pictureWidth, pictureHeight] = [1200, 675];

async function pictureOf(hail: Hail, impacts: readonly Impact[], time: number): Promise<Uint8Array> {
  const { position, velocity, alive } = await hail.particles.state(time);
  const vector = (array: Float64Array, i: number): Vector => [
    array[3 * i],
    array[3 * i + 1],
    array[3 * i + 2],
  ];
  const stones: HailPicture['stones'][number][] = [];
  for (let i = 0; i < alive.length; i++) {
    if (alive[i] === 0) continue;
    const flies = alive[i] === 1;
    stones.push({
      ...{ place: vector(position, i), radius: stoneRadius(i) },
      velocity: flies ? vector(velocity, i) : undefined,
    });
  }
  const splats = impacts.map(impact => splatOf(hail, impact, time));
  const pixels = drawHail(
    { looks: hail.looks(time), stones, splats },
    { width: pictureWidth, height: pictureHeight },
  );
  return encodePng(pixels);
}

/** The current position of the place that was struck, and how often its texel has been struck. */
function splatOf({ particles, parts }: Hail, impact: Impact, now: number): HailPicture['splats'][number] {
  const { motion, map } = parts[impact.collider].collider;
  let { place, normal } = impact;
  if (motion !== undefined) {
    const turn = motion.turn ?? [0, 0, 0];
    place = carried(motion, brought(motion, place, impact.time), now);
    normal = turned({ turn, at: impact.time }, normal, now);
  }
  if (map === undefined) return { place, normal, count: 1 };
  const { width, height, values } = particles.map(impact.collider);
  const column = Math.min(width - 1, Math.floor(impact.parameter[0] * width));
  const line = Math.min(height - 1, Math.floor(impact.parameter[1] * height));
  return { place, normal, count: Math.max(1, values[4 * (line * width + column) + 3]) };
}

/** Programs rely on this format; a test holds it. */
function* hailJson({ particles, parts }: Hail, nf: Nearfield, impacts: readonly Impact[]): Generator<string> {
  const backend = { kind: nf.backend, name: nf.name };
  yield `{ "version": ${JSON.stringify(version)},\n  "backend": ${JSON.stringify(backend)},\n`;
  yield `  "particles": ${particles.count},\n  "unsure": ${particles.stats.unsure},\n  "colliders": [`;
  yield* list(parts, '    ', ({ collider: { name }, whole, material }, index) => [
    JSON.stringify({ index, name, whole, material }),
  ]);
  yield '],\n  "impacts": [';
  yield* list(impacts, '    ', impact => {
    const { time, particle, generation, bounce, collider, place, speed, normalSpeed, outcome } = impact;
    return [
      JSON.stringify({
        time,
        particle,
        generation,
        bounce,
        collider,
        place: [...place],
        speed,
        normalSpeed,
        outcome,
      }),
    ];
  });
  yield '] }\n';
}
