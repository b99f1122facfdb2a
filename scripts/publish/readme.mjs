// Writes into README.md what can be computed: what a page downloads (sizes.mjs), and the times recorded in bench/results.
// A test holds README.md to what this would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkUsage } from '../usage.mjs';
import { openedPrograms, programs, sizeOf } from './sizes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = `${root}README.md`;
const recorded = `${root}bench/results/amd-epyc-2-cores`;

const engines = ['Nearfield cpu', 'three-mesh-bvh', 'FCL', 'CGAL'];

/** A row of the table: the job, and its cases in bench/results ("scene: name, question"). */
const jobs = [
  [
    'all triangle pairs, bunnies 2 × 69K (2,436 pairs)',
    ['pair: bunny, shifted by 0.3, pairs'],
    { exact: 2436 },
  ],
  [
    'all triangle pairs, bumpy spheres 2 × 1M (7,913 pairs)',
    ['million: bumpy sphere, shifted by 0.3, pairs'],
    { exact: 7913 },
  ],
  ['yes or no, overlapping bunnies', ['pair: bunny, shifted by 0.3, any']],
  ['yes or no, bunnies nearly touching', ['near: bunny, any']],
  ['build, 69K / 1M triangles', ['trees: bunny of 69,451, build', 'trees: bumpy sphere of 1,003,520, build']],
  ['refit, 69K triangles', ['trees: bunny of 69,451, refit']],
  ['deforming 82K sphere: refit and all self-intersections', ['deform: sphere of 81,920 folding, self']],
  // FCL and CGAL only list boxes that meet.
  ['10,000 moving boxes, body pairs', ['boxes: 10,000 axis-aligned, bodies'], { without: ['FCL', 'CGAL'] }],
  ['10,000 moving boxes, broad phase only', ['boxes: 10,000 axis-aligned, boxes']],
  ['distance between two bunnies, 5 % of their size apart', ['distance: bunny, 5 % gap, distance']],
  ['nearest points on a bunny for 100,000 points', ['distance: bunny, 100,000 points, closest']],
  [
    'a dragon that breaks into 345 pieces, 147,000 triangles at first: all triangle pairs per frame (the paper: 35–50)',
    ['visibility: breaking, 2 to 345 bodies, scene'],
  ],
  [
    '150 leaves that bend as they fall, 40,000 triangles: all triangle pairs per frame (the paper: 35)',
    ['visibility: 150 falling leaves, scene'],
  ],
  [
    'cloth of 92,000 triangles that folds: all self-intersections per frame',
    ['visibility: cloth of 91,592 folding, self'],
  ],
];

/** The rows of every recorded case, by "scene: name, question". */
function recordedRows() {
  const rows = new Map();
  for (const result of JSON.parse(readFileSync(`${recorded}.json`, 'utf8')).cases) {
    const key = `${result.scene}: ${result.name}, ${result.question}`;
    rows.set(key, { exact: result.exactPairs, rows: [...result.rows] });
  }
  for (const row of JSON.parse(readFileSync(`${recorded}.native.json`, 'utf8'))) {
    rows.get(row.case)?.rows.push(row);
  }
  return rows;
}

const grouped = value => value.toLocaleString('en-US');
const significant = value => value.toLocaleString('en-US', { maximumSignificantDigits: 3 });

/** The lines of the table under "Measured", with CPU times. */
function timesTable() {
  const known = recordedRows();
  const lines = jobs.map(([job, keys, { exact, without = [] } = {}]) => {
    const cells = engines.map((engine, column) => {
      const times = keys.map(key => {
        const found = known.get(key);
        if (found === undefined) throw new Error(`bench/results has no case "${key}"`);
        if (exact !== undefined && found.exact !== exact)
          throw new Error(`${key}: ${found.exact} pairs are recorded`);
        return found.rows.find(row => row.engine === engine && row.warm !== undefined);
      });
      if (times.includes(undefined) || without.includes(engine)) return '–';
      const text = times.map(({ warm }) => significant(warm.processor)).join(' / ');
      const { missed, found } = times[0].pairs ?? {};
      const misses = missed > 0 ? `, misses ${grouped(missed)} of ${grouped(found + missed)}` : '';
      return column === 0 ? `**${text}**` : `${text}${misses}`;
    });
    return `| ${job} | ${cells.join(' | ')} |`;
  });
  return lines.join('\n');
}

/** The sentences that state sizes, each with the programs that it lists. */
const sizeSentences = [
  [/(What a page downloads \([^)]*\): )([^.]*)\./, programs],
  [/(What a page that imports `open` downloads: )((?:[^.]|\.(?! |\n))*)\./, openedPrograms],
];

/** The sizes that README.md states, in bytes after gzip, by the names of sizes.mjs. */
export function statedSizes() {
  const text = readFileSync(readme, 'utf8');
  return Object.fromEntries(
    sizeSentences.flatMap(([sentence]) => {
      const [, , list] = sentence.exec(text) ?? [];
      if (list === undefined) throw new Error(`README.md does not have the sentence ${sentence}`);
      return list
        .replaceAll('\n', ' ')
        .split('; ')
        .map(part => {
          const [, name, size] = /^(.+) (\d+) KB$/.exec(part);
          return [name, 1000 * Number(size)];
        });
    }),
  );
}

/** README.md with the sizes of what is built. */
async function withSizes(text) {
  let written = text;
  for (const [sentence, listed] of sizeSentences) {
    const parts = [];
    for (const [name, program] of Object.entries(listed)) {
      const { compressed } = await sizeOf(program);
      parts.push(`${name} ${Math.round(compressed / 1000)} KB`);
    }
    if (!sentence.test(written)) throw new Error(`README.md does not have the sentence ${sentence}`);
    written = written.replace(sentence, (_, before) => inLines(`${before}${parts.join('; ')}.`));
  }
  return written;
}

/** Broken into lines of at most 125 characters, with code in one line. */
const inLines = text =>
  text
    .replace(/`[^`]*`/g, code => code.replaceAll(' ', '\0'))
    .replace(/(.{1,125})(?: |$)/g, '$1\n')
    .replaceAll('\0', ' ')
    .trimEnd();

/** The sentence at the top, from the first row of the table. */
function firstSentence() {
  const { rows } = recordedRows().get(jobs[0][1][0]);
  const [own, peer, fcl] = engines.map(engine => rows.find(row => row.engine === engine).warm.processor);
  return `${own.toPrecision(2)} ms on one CPU thread**, ${Math.round(peer / own)} times faster than
three-mesh-bvh in the same run and about ${Math.round(fcl / own)} times faster than native FCL`;
}

/** README.md with the recorded times. */
export function withTimes(text) {
  const sentence = /[\d.]+ ms on one CPU thread\*\*, \d+ times[^,]* native FCL/;
  if (!sentence.test(text)) throw new Error('README.md does not begin with a time');
  return text
    .replace(sentence, firstSentence())
    .replace(/(\| job \|.*\n\|[-|]+\n)(?:\|.*\n)+/, (_, head) => `${head}${timesTable()}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(`usage: node scripts/publish/readme.mjs
Writes what a page downloads (of packages/*/dist: build first) and the recorded times into README.md.`);
  const text = withTimes(await withSizes(readFileSync(readme, 'utf8')));
  writeFileSync(readme, text);
  for (const [sentence] of sizeSentences) console.log(sentence.exec(text)[0]);
}
