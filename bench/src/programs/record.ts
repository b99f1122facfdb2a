// `node bench/dist/record.js [--backend gpu] [SCENE…]`: runs every scene with all peers, and writes the results to
// bench/results under the machine's name, as JSON and as markdown. Named scenes replace those of an earlier run.
// Native peers are measured by hand, on the same meshes and poses; their rows are in NAME.native.json.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machineSlug } from '../machine.ts';
import { markdown, measure, type Results, scenes } from '../main.ts';
import { describeCase, describeParticles, describePlan } from '../messages.ts';
import type { Row } from '../run/runner.ts';
import { readWords } from './words.ts';

const names = scenes.map(({ name }) => name);
const usage = `usage: node bench/dist/record.js [--backend gpu] [--time MILLISECONDS] [SCENE…]
Measures scenes (all unless told) with all peers and writes them to bench/results under the machine's name.
Scenes: ${names.join(', ')}. --time is for each engine and case, 2000 unless told.`;
const options = { backend: { type: 'string' }, time: { type: 'string' } } as const;
const { values, scenes: named } = readWords(usage, options, names);
const results = await measure({
  scenes: named,
  peers: true,
  backend: values.backend === 'gpu' ? 'gpu' : 'cpu',
  ...(values.time !== undefined && { time: Number(values.time) }),
  plan: plan => process.stderr.write(describePlan(plan)),
  report: result => process.stderr.write(describeCase(result)),
  reportParticles: row => process.stderr.write(describeParticles(row)),
});
// Seen from bench/dist, where the built program lies.
const folder = fileURLToPath(new URL('../results/', import.meta.url));
mkdirSync(folder, { recursive: true });
const file = `${folder}${machineSlug(results.machine)}`;
const merged = mergeInto(`${file}.json`, results);
writeFileSync(`${file}.json`, `${JSON.stringify(merged, null, 1)}\n`);
writeFileSync(`${file}.md`, [...markdown(withNative(`${file}.native.json`, merged))].join(''));
console.error(`${file}.json and .md`);
process.exit(0);

/** The hand-measured rows, each with its case. */
function withNative(path: string, results: Results): Results {
  if (!existsSync(path)) return results;
  const native = JSON.parse(readFileSync(path, 'utf8')) as ({ case: string } & Row)[];
  const cases = results.cases.map(result => {
    const key = `${result.scene}: ${result.name}, ${result.question}`;
    return { ...result, rows: [...result.rows, ...native.filter(row => row.case === key)] };
  });
  return { ...results, cases };
}

function mergeInto(path: string, fresh: Results): Results {
  if (!existsSync(path)) return fresh;
  const earlier = JSON.parse(readFileSync(path, 'utf8')) as Results;
  const measured = new Set(fresh.cases.map(({ scene }) => scene));
  const kept = earlier.cases.filter(({ scene }) => !measured.has(scene));
  const order = scenes.map(({ name }) => name);
  const cases = [...kept, ...fresh.cases].sort((a, b) => order.indexOf(a.scene) - order.indexOf(b.scene));
  const growth = [
    ...(earlier.growth ?? []).filter(({ scene }) => !measured.has(scene)),
    ...(fresh.growth ?? []),
  ];
  return { ...earlier, ...fresh, cases, ...(growth.length > 0 && { growth }) };
}
