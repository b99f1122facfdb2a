// A check that does not fit in memory at once is answered in parts, with the same answer; or refused with what to do.

import { mesh, type Nearfield, open } from 'nearfield';
import { icosphere } from 'nearfield/shapes';
import { describe, expect, it } from 'vitest';
import type { CheckQuestion } from '../assembly/check.ts';
import type { GivenBody } from '../assembly/types.ts';
import { checkInParts } from './in-parts.ts';
import { refuseIfShardIsTooLarge } from './tree-room.ts';

const memory = 2 ** 24;
const little = () => open({ backend: 'cpu', maxMemory: memory, threads: 1 });
const plenty = () => open({ backend: 'cpu', threads: 1 });

/** Balls in a row, each with a mesh of its own and a place where it overlaps the next. */
const balls = (count: number, frequency: number): GivenBody[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `ball ${i}`,
    mesh: icosphere({ frequency, radius: 1 + i / 64 }),
    pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, i % 3 === 2 ? 2 * i : 1.9 * i, 0, 0, 1),
  }));

const question = (bodies: readonly GivenBody[], more: Partial<CheckQuestion>): CheckQuestion => ({
  ...{ bodies, method: 'auto', samples: false, keepTriangles: 'none', points: true, identities: true },
  ...{ readTime: 0, openTime: 0, version: '1', progress: () => {}, ...more },
});

/** Asks, and counts the libraries that were opened. */
async function ask(from: () => Promise<Nearfield>, asked: CheckQuestion) {
  let opened = 0;
  const { answer, notes } = await checkInParts(() => {
    opened++;
    return from();
  }, asked);
  const { timing: _, ...rest } = answer;
  return { answer: rest, notes, opened };
}

describe('a check with little memory', () => {
  it.each<[string, Partial<CheckQuestion>]>([
    ['pairs', {}],
    ['pairs without points', { points: false, identities: false, keepTriangles: 'all' }],
    ['depths and what is too close', { depths: 'all', clearance: 0.2 }],
    ['depths of the rows that are shown', { depths: 'shown', rows: 3, tolerance: 0.05 }],
    ['volumes', { volumes: true, depths: 'shown', rows: 50 }],
    [
      'triangles of a motion',
      { keepTriangles: 'all', motion: { isMotion: true, frames: [new Map(), moved()] } },
    ],
  ])('has the same answer: %s', async (_, more) => {
    const asked = question(balls(9, 40), more);
    const whole = await ask(plenty, asked);
    expect([whole.opened, whole.notes]).toEqual([1, []]);
    expect(whole.answer.frames[0].pairs.length).toBeGreaterThan(3);
    const parts = await ask(little, asked);
    expect(parts.opened).toBeGreaterThan(2);
    expect(parts.notes[0]).toMatch(/does not fit .*checked in \d+ parts, one after the other \(--shard/);
    expect(parts.answer).toEqual(whole.answer);
  });

  it('is refused, with advice, before a part is asked about if two bodies that meet do not fit together', async () => {
    const far = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 900, 0, 0, 1);
    const large = balls(2, 78).map(body => ({ ...body, pose: far }));
    let opened = 0;
    const counted = () => {
      opened++;
      return little();
    };
    // Each fits by itself: 121,680 triangles take 8.8 MB.
    const asked = question([...balls(8, 40), ...large], {});
    await expect(checkInParts(counted, asked, memory)).rejects.toMatchObject({
      code: 'out-of-memory',
      message: expect.stringMatching(
        /need \d+ MB, but .* at most 16 MB.*--shard.* the largest part needs at least 18 MB; its largest body is ball 0 with 121,680 triangles; .*--max-memory/,
      ),
    });
    expect(opened).toBe(1);
    // The next answer is right.
    const next = question([...balls(8, 40), large[0]], {});
    expect((await ask(little, next)).answer).toEqual((await ask(plenty, next)).answer);
  });

  it('is never estimated to need more than its trees do', async () => {
    for (const frequency of [20, 65, 113]) {
      const nf = await little();
      const scene = nf.scene();
      const body = balls(1, frequency)[0];
      const need = 60 * body.mesh.triangleCount + body.mesh.positions.byteLength;
      const count = Math.ceil(memory / need);
      for (let i = 0; i < count; i++) scene.add(mesh(body.mesh.positions.slice(), body.mesh.indices));
      const message: string = await scene.interferences().then(
        () => '',
        (error: Error) => error.message,
      );
      const said = Number(/need (\d+) MB/.exec(message)?.[1]);
      expect(said, message).toBeGreaterThanOrEqual(Math.floor((count * need) / 1e6));
      nf.close();
    }
  });

  it('a shard that does not fit is refused before it starts, with a number of shards that do', async () => {
    const asked = question(balls(9, 40), {});
    const refused = (index: number, count: number) => () =>
      refuseIfShardIsTooLarge(asked, { index, count }, 2 ** 23);
    let message = '';
    try {
      refused(1, 1)();
    } catch (error) {
      expect(error).toMatchObject({ code: 'out-of-memory' });
      ({ message } = error as Error);
    }
    const count = Number(/more parts, such as --shard i\/(\d+)$/.exec(message)?.[1]);
    expect(count, message).toBeGreaterThan(1);
    for (let index = 1; index <= count; index++) expect(refused(index, count)).not.toThrow();
    expect(() => refuseIfShardIsTooLarge(asked, { index: 1, count }, 2 ** 20)).toThrow(
      /no division is fine enough, since .* needs at least \d MB; its largest body is ball \d with 32,000/,
    );
  });

  it('passes other errors on', async () => {
    const bodies = balls(2, 2).map(body => ({ ...body, pose: new Float64Array(16) }));
    await expect(ask(little, question(bodies, {}))).rejects.toMatchObject({ code: 'bad-pose' });
  });
});

/** Every third ball moves to the next. */
function moved(): Map<number, Float64Array> {
  const at = (x: number) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1);
  return new Map([0, 3, 6].map(i => [i, at(1.9 * i + 0.5)]));
}
