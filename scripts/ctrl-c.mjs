// How long does Ctrl-C take in each stage of a large check? Generates an assembly, runs the built command line once per stage,
// sends itself SIGINT when the stage's bar first appears, and prints the time from there to the end: of the processor, and by
// the clock. Every run must end with status 130 and leave no output behind. Build first: node scripts/build.mjs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkUsage } from './usage.mjs';

const help = `node scripts/ctrl-c.mjs [PARTS]
Measures how long Ctrl-C takes in each stage of "nearfield check" with all outputs, for so many parts (default: 100000).`;

const outputs = ['json', 'csv', 'junit.xml', 'glb', 'bcf', 'html'].map(extension => `out.${extension}`);

/** What is interrupted: a stage, in a run that writes one file. */
const moments = [
  ...['reading', 'opening', 'checking', 'relating', 'locating', 'clearances', 'depths', 'grouping'].map(
    stage => [stage, 'out.json'],
  ),
  ...outputs.map(name => [/html|bcf/.test(name) ? 'drawing' : 'writing', name]),
  // Without another output, statuses are what is written first.
  ['writing', '--statuses'],
];

/** Boxes on a grid, of many sizes: some overlap their neighbours, some are close to them. */
function assembly(count) {
  const box = {
    positions: [],
    indices: [
      0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7,
      5,
    ],
  };
  for (let corner = 0; corner < 8; corner++) box.positions.push(corner & 1, (corner >> 1) & 1, corner >> 2);
  const bytes = Buffer.concat([
    Buffer.from(Float32Array.from(box.positions).buffer),
    Buffer.from(Uint32Array.from(box.indices).buffer),
  ]);
  const side = Math.ceil(Math.cbrt(count));
  const nodes = Array.from({ length: count }, (_, i) => {
    const size = 0.8 + ((i * 7919) % 1009) / 2400;
    const translation = [i % side, Math.floor(i / side) % side, Math.floor(i / side ** 2)];
    return { name: `part ${i}`, mesh: 0, translation, scale: [size, size, size] };
  });
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: nodes.map((_, i) => i) }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
      { bufferView: 1, componentType: 5125, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 96 },
      { buffer: 0, byteOffset: 96, byteLength: 144 },
    ],
    buffers: [{ byteLength: 240, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
  });
}

const rules = JSON.stringify({
  sets: { even: { name: ['part *0', 'part *2', 'part *4', 'part *6', 'part *8'] }, odd: { not: 'even' } },
  tests: [
    { name: 'even and odd', between: ['even', 'odd'], severity: 'critical' },
    { name: 'the rest', all: true },
  ],
});

/** In a process of its own: runs the command until the stage's bar appears, and says how long the rest took. */
async function interrupt(stage, output) {
  const folder = fileURLToPath(new URL('../packages/cli/dist/', import.meta.url));
  const program = readdirSync(folder).find(name => /^run-.*\.js$/.test(name));
  const { run } = await import(join(folder, program));
  const cancel = new AbortController();
  process.on('SIGINT', () => cancel.abort());
  let begun;
  const written = output === '--statuses' ? ['--statuses', 'out.statuses.json'] : ['--out', output];
  const given = [
    'check',
    'parts.gltf',
    '--backend',
    'cpu',
    '--clearance',
    '5mm',
    '--rules',
    'rules.json',
    '--group',
    'part',
  ];
  const status = await run([...given, ...written], {
    out: () => {},
    err: text => {
      if (begun || !text.includes(`${stage} `)) return;
      begun = { wall: performance.now(), processor: process.cpuUsage() };
      process.kill(process.pid, 'SIGINT');
    },
    interactive: true,
    columns: 80,
    cwd: process.cwd(),
    signal: cancel.signal,
  });
  const { user, system } = process.cpuUsage(begun?.processor);
  process.stdout.write(
    JSON.stringify({
      status,
      begun: begun !== undefined,
      processor: (user + system) / 1000,
      wall: performance.now() - (begun?.wall ?? 0),
    }),
  );
}

if (process.argv[2] === '--interrupt') {
  await interrupt(process.argv[3], process.argv[4]);
  process.exit();
}
checkUsage(help, /^\d+$/.test(process.argv[2] ?? '') ? process.argv.slice(2, 3) : []);
const count = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'nearfield-ctrl-c-'));
writeFileSync(join(folder, 'parts.gltf'), assembly(count));
writeFileSync(join(folder, 'rules.json'), rules);
let isGood = true;
try {
  for (const [stage, output] of moments) {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [fileURLToPath(import.meta.url), '--interrupt', stage, output],
      { cwd: folder, encoding: 'utf8' },
    );
    if (stdout === '') throw new Error(`${stage}, ${output}: ${stderr}`);
    const { status, begun, processor, wall } = JSON.parse(stdout);
    const left = readdirSync(folder).filter(name => name !== 'parts.gltf' && name !== 'rules.json');
    isGood &&= begun && status === 130 && left.length === 0;
    const what = `${stage.padEnd(10)} ${output.padEnd(14)} processor ${processor.toFixed(0).padStart(5)} ms  clock ${wall.toFixed(0).padStart(5)} ms`;
    console.log(
      `${what}  status ${status}${begun ? '' : '  the stage did not begin'}${left.length === 0 ? '' : `  left behind: ${left.join(', ')}`}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isGood ? 0 : 1;
