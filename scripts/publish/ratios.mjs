// How many times as fast as three-mesh-bvh a release is, for a few questions: kept per release in bench/releases.json, and drawn by the site.
// The ratios come from the recorded results (`npx nearfield bench --peers`, `node bench/dist/record.js`), so measure before a release.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scenesOf } from '../../site/benchmarks.mjs';
import { checkUsage } from '../usage.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const kept = `${root}bench/releases.json`;
const results = `${root}bench/results/amd-epyc-2-cores.md`;

/** The questions that are watched: a scene, the beginning of a case, and what the plot calls it. */
const watched = [
  ['trees', 'bunny of 69,451: build', 'build a tree, 69K'],
  ['pair', 'bunny, shifted by 0.3: all', 'all triangle pairs, 2 × 69K'],
  ['pair', 'bunny, shifted by 0.3: yes', 'yes or no, 2 × 69K'],
  ['boxes', '10,000 turned: body pairs', 'body pairs, 10,000 turned boxes'],
  ['deform', 'sphere of 81,920 folding', 'deform and test itself, 82K'],
  ['distance', 'bunny, 5 % gap', 'distance, 2 × 69K'],
  ['distance', 'bunny, 100,000 points', 'nearest points, 100,000'],
];

/** Ratio per watched question in the recorded results, by name. */
export function ratiosNow() {
  const scenes = scenesOf(readFileSync(results, 'utf8'));
  return Object.fromEntries(
    watched.map(([scene, beginning, name]) => {
      const found = scenes
        .find(one => one.scene === scene)
        ?.cases.find(one => one.name.startsWith(beginning))
        ?.engines.find(({ engine }) => engine.startsWith('three-mesh-bvh'));
      if (found === undefined)
        throw new Error(`${results} has no row of three-mesh-bvh for ${scene}: ${beginning}`);
      return [name, found.ratio];
    }),
  );
}

/** What is kept: ratios per question, per release. */
export const releases = () => JSON.parse(readFileSync(kept, 'utf8'));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(
    `usage: node scripts/publish/ratios.mjs
Keeps the ratios of the recorded benchmarks for the version that packages/nearfield has now.`,
    [],
  );
  const { version } = JSON.parse(readFileSync(`${root}packages/nearfield/package.json`, 'utf8'));
  writeFileSync(kept, `${JSON.stringify({ ...releases(), [version]: ratiosNow() }, null, 2)}\n`);
  console.log(`kept the ratios of ${version}`);
}
