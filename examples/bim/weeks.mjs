// Two weeks of a project, played with made-up models in a temporary folder: what is new, what was accepted, what fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = join(
  dirname(createRequire(import.meta.url).resolve('@nearfield/cli/package.json')),
  'bin/nearfield.js',
);
const rules = fileURLToPath(new URL('rules.json', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'two-weeks-'));

function nearfield(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 2) throw new Error(stderr);
  const typed = words.map(word => (word === rules ? 'rules.json' : word.includes(' ') ? `"${word}"` : word));
  console.log(`$ nearfield ${typed.join(' ')}\n${stdout}exit status ${status}\n`);
  return status;
}
const check = [
  'check',
  'architecture.obj',
  'plumbing.obj',
  '--units',
  'mm',
  '--rules',
  rules,
  '--statuses',
  'statuses.json',
];

// Week 1: a pipe runs through a wall.
model('architecture.obj', { 'wall 1': [0, 0, 0, 4000, 200, 3000], 'wall 2': [0, 3000, 0, 4000, 3200, 3000] });
model('plumbing.obj', { 'pipe 1': [500, -500, 1000, 600, 1000, 1100] });
nearfield(...check, '--out', 'week-1.json', '--out', 'week-1.txt');
const [{ clash }] = JSON.parse(readFileSync(join(folder, 'week-1.json'), 'utf8')).pairs;
nearfield(
  'status',
  'statuses.json',
  clash,
  '--set',
  'accepted',
  '--by',
  'the architect',
  '--comment',
  'a sleeve will come',
);

// Week 2: a second pipe, through the other wall. Only this one fails.
model('plumbing.obj', {
  'pipe 1': [500, -500, 1000, 600, 1000, 1100],
  'pipe 2': [900, 2500, 1000, 1000, 3500, 1100],
});
process.exitCode =
  nearfield(
    ...check,
    '--baseline',
    'week-1.json',
    '--fail-on',
    'new',
    '--out',
    'week-2.bcf',
    '--out',
    'week-2.txt',
  ) === 1
    ? 0
    : 1;
console.log(readFileSync(join(folder, 'week-2.txt'), 'utf8'));
console.log(`The files are in ${folder}.`);

/** Writes boxes, each from its low to its high corner, as an OBJ file. */
function model(name, boxes) {
  const faces = [
    [1, 3, 4, 2],
    [5, 6, 8, 7],
    [1, 2, 6, 5],
    [3, 7, 8, 4],
    [1, 5, 7, 3],
    [2, 4, 8, 6],
  ];
  const lines = Object.entries(boxes).flatMap(([body, [x0, y0, z0, x1, y1, z1]], i) => [
    `o ${body}`,
    ...[z0, z1].flatMap(z => [y0, y1].flatMap(y => [x0, x1].map(x => `v ${x} ${y} ${z}`))),
    ...faces.map(face => `f ${face.map(corner => corner + 8 * i).join(' ')}`),
  ]);
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
}
