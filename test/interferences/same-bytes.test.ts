// Models of real programs, if they lie beside the repository or in NEARFIELD_MODELS: one thread, all threads, shards and the
// processes of `cluster submit` give the same bytes.

import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { same } from '../../packages/cli/src/commands/check/shards/testing.ts';
import { buildProgram, startProgram } from '../../packages/cli/src/commands/cluster/testing.ts';
import { runIn, testFolder } from '../../packages/cli/src/testing.ts';

const folder =
  process.env['NEARFIELD_MODELS'] ?? fileURLToPath(new URL('../../../shared/models', import.meta.url));
const slow = Boolean(process.env['NEARFIELD_SLOW']);

/** Models, and what is asked about them. */
const checks: readonly (readonly string[])[] = [
  ['ifc_infra_bridge.glb', '--clearance', '0.05'],
  ['fcl_env.obj', 'fcl_rob.obj', '--clearance', '500'],
  ['step/as1-oc-214.stp', '--tolerance', 'file'],
  ['IfcOpenHouse_IFC4.ifc', '--depths', 'all', '--volumes'],
  ['ifc_duplex.glb', '--tolerance', '0.001'],
  ['duplex.ifc', '--clearance', '0.01'],
  ['CarConcept.glb'],
  ['bunny_69k.ply', 'armadillo_86k.obj', 'lucy_100k.ply', 'knot2_linked.off', '--clearance', '10'],
  ['teeth_upper.ply', 'teeth_lower.ply', '--clearance', '1'],
  ['cloth_ball92.ply', 'eztree_oak.stl', 'fcl_env.obj'],
  ['kuka_iiwa/model.urdf', '--clearance', '0.05'],
  ['differential/diff_ring.urdf', '--tolerance', '0.0001'],
];

let program: string | undefined;
afterAll(() => {
  if (program !== undefined) rmSync(dirname(program), { recursive: true, force: true });
});

describe.skipIf(!existsSync(folder))('models beside the repository give the same bytes', () => {
  it.each(slow ? checks : checks.slice(0, 2))('%s', async (...words) => {
    const here = testFolder();
    const asking = words.map(word => (existsSync(join(folder, word)) ? join(folder, word) : word));
    const check = ['check', ...asking, '--backend', 'cpu'];
    const one = await runIn(here, [...check, '--json', '--threads', '1']);
    expect(one.status, one.err).toBeLessThan(2);
    const whole = JSON.parse(one.out);
    expect(whole.bodies.length).toBeGreaterThan(1);
    expect(whole.pairs.length).toBeGreaterThan(0);
    const expected = same(one.out);
    for (const threads of slow ? ['2', '5', '16'] : ['3']) {
      const all = await runIn(here, [...check, '--json', '--threads', threads]);
      expect(same(all.out), `${threads} threads`).toBe(expected);
    }
    // Every number from 1 to 16 divides one model or another.
    const first = checks.findIndex(([model]) => model === words[0]);
    for (const count of slow ? [0, 4, 8, 12].map(k => 1 + ((first + k) % 16)) : [4]) {
      const names = Array.from({ length: count }, (_, i) => `shard-${i + 1}-of-${count}.json`);
      for (const [i, name] of names.entries()) {
        const { status, err } = await runIn(here, [...check, '--shard', `${i + 1}/${count}`, '--out', name]);
        expect(status, err).toBe(0);
      }
      const merged = await runIn(here, ['merge', ...names, '--json']);
      expect(same(merged.out), `${count} shards`).toBe(expected);
      for (const name of names) rmSync(join(here, name));
    }
    // Processes of this machine.
    program ??= await buildProgram();
    for (const tiles of slow ? ['2', '7'] : ['2']) {
      const submit = ['cluster', 'submit', ...check.slice(1), '--json', '--tiles', tiles];
      const { out, err, status } = await startProgram(program, here, submit).outcome;
      expect(status, err).toBe(one.status);
      expect(same(out), `${tiles} tiles`).toBe(expected);
    }
  });
});
