// A robot of other people, if its files are there: the KUKA arm through random joint moves, against dense sampling of the same
// moves with poses by forward kinematics alone.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Body, type CpuScene, open, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../packages/io/src/read-file.ts';
import { jointMotions } from '../../packages/io/src/urdf/joint-motions.ts';
import { posesOfJoints } from '../../packages/io/src/urdf/robot.ts';
import { Failures } from '../oracle/failures.ts';

const models = process.env.NEARFIELD_MODELS ?? resolve(import.meta.dirname, '../../../shared/models');
const arm = join(models, 'kuka_iiwa/model.urdf');
const moves = Number(process.env.NEARFIELD_MOVES ?? (process.env.NEARFIELD_SLOW ? 1000 : 20));
const samples = process.env.NEARFIELD_SLOW ? 1000 : 200;
const seed = Number(process.env.NEARFIELD_SEED ?? 7);

describe.runIf(existsSync(arm))('the KUKA arm', () => {
  it(`through ${moves} random moves: no sampled contact is missed, first times agree (seed ${seed})`, {
    timeout: 1e7,
  }, async () => {
    const fetchBeside = async (beside: string) => new Uint8Array(readFileSync(join(dirname(arm), beside)));
    const read = await readFile('model.urdf', new Uint8Array(readFileSync(arm)), { fetchBeside });
    const robot = read.robot!;
    const nf = await open({ backend: 'cpu' });
    const random = shapes.createRandom(seed);
    const failures = new Failures();
    const count = { contact: 0, initial: 0, undecided: 0, none: 0 };
    let [asked, sampled] = [0, 0];
    try {
      const scene = nf.scene() as CpuScene;
      const placed = read.bodies.map(({ mesh, name, pose }) => scene.add(mesh, { name, pose: pose! }));
      // The arm rarely meets itself: a post beside it is met often.
      scene.add(shapes.box({ size: [0.1, 0.1, 1.2] }), {
        name: 'post',
        pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.42, 0.1, 0.6, 1),
      });
      const allowed = read.allowed!.map(({ a, b }): [Body, Body] => [placed[a], placed[b]]);
      const randomValues = () =>
        Object.fromEntries(
          robot.joints
            .filter(({ type }) => type !== 'fixed')
            .map(({ name, lower = -1, upper = 1 }) => [name, lower + random.next() * (upper - lower)]),
        );
      const place = (values: Record<string, number>) =>
        posesOfJoints(robot, values).forEach((pose, i) => {
          placed[i].pose = pose;
        });
      for (let move = 0; move < moves; move++) {
        const [from, to] = [randomValues(), randomValues()];
        const between = (t: number) =>
          Object.fromEntries(Object.keys(from).map(name => [name, from[name] + t * (to[name] - from[name])]));
        place(from);
        const bodies = jointMotions(robot, from, to).map((chain, i) => ({ body: placed[i], ...chain }));
        let start = performance.now();
        const found = await scene.firstContact({ bodies }, { allowed });
        asked += performance.now() - start;
        const key = (a: Body, b: Body) => `${a.index} ${b.index}`;
        const byPair = new Map(found.map(contact => [key(contact.a, contact.b), contact]));
        const first = new Map<string, number>();
        const meeting = (t: number): string[] => {
          place(between(t));
          return [...scene.interferencesSync({ allowed, detail: 'any' })].map(({ a, b }) => key(a, b));
        };
        start = performance.now();
        for (let i = 0; i <= samples; i++)
          for (const pair of meeting(i / samples)) if (!first.has(pair)) first.set(pair, i / samples);
        sampled += performance.now() - start;
        for (const [pair, t] of first) {
          const contact = byPair.get(pair);
          failures.check(contact !== undefined && contact.time.from <= t + 1e-12, () => {
            return `move ${move}: ${pair} meet at ${t}, found ${JSON.stringify(contact?.time)}`;
          });
        }
        for (const [pair, { state, time }] of byPair) {
          const isFirst = first.get(pair);
          const says = () => `move ${move}: ${pair} ${state} ${JSON.stringify(time)}, sampled ${isFirst}`;
          if (state === 'initial') failures.check(isFirst === 0, says);
          if (state !== 'contact') continue;
          // Near-grazing approaches need longer to be certain.
          failures.check(time.to - time.from < 2 ** -24, says);
          failures.check(meeting(Math.min(1, time.to + 1e-9)).includes(pair), says);
          failures.check(!meeting(Math.max(0, time.from - 1e-9)).includes(pair), says);
        }
        count[found[0]?.state ?? 'none']++;
      }
    } finally {
      nf.close();
    }
    if (moves > 20)
      console.log(
        `KUKA: ${JSON.stringify(count)}, ${asked.toFixed(0)} ms asked, ${sampled.toFixed(0)} ms sampled`,
      );
    expect(failures.list).toEqual([]);
  });
});
