// Questions whose code arrives late: they answer about the moment of the call.

import { afterAll, describe, expect, it } from 'vitest';
import { closest, distance, within } from '../entries/distance.ts';
import { interferences } from '../entries/interferences.ts';
import { open } from '../nearfield.ts';
import { box } from '../shapes/index.ts';
import { asGiven, onDemand } from './on-demand.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const at = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];

/** Two unit boxes, three apart, and questions about them whose code waits for `arrive`. */
function sceneWithLateCode() {
  const scene = nf.scene();
  const a = scene.add(box());
  const b = scene.add(box(), { pose: at(4) });
  let arrive = () => {};
  const arrived = new Promise<void>(resolve => {
    arrive = resolve;
  });
  let loads = 0;
  const load = async () => {
    loads++;
    await arrived;
    return { closest, distance, interferences, within };
  };
  return { scene, a, b, load, arrive, loads: () => loads };
}

describe('a question whose code arrives after the bodies have changed', () => {
  const changes: Record<string, (made: ReturnType<typeof sceneWithLateCode>) => void> = {
    'a body was moved': ({ b }) => {
      b.pose = at(1);
    },
    'a body was deformed': ({ b }) => b.deform(b.mesh.positions.map(x => 8 * x)),
    'a body was removed': ({ scene, b }) => scene.remove(b),
    'another body was added before others moved': ({ scene, a, b }) => {
      scene.remove(a);
      scene.add(box(), { pose: at(4.5) });
      b.pose = at(0);
    },
    'the scene was closed': ({ scene }) => scene.close(),
    'nothing happened': () => {},
  };

  it.each(Object.entries(changes))('%s', async (_, change) => {
    const made = sceneWithLateCode();
    const { scene, a, b, load, arrive } = made;
    const asked = [
      onDemand(load, 'distance')(scene, a, b),
      onDemand(load, 'within')(scene, 3.5),
      onDemand(load, 'interferences')(scene),
      onDemand(load, 'closest')(scene, b, new Float64Array([0, 0, 0])),
    ] as const;
    change(made);
    arrive();
    const [apart, near, meeting, point] = await Promise.all(asked);
    expect(apart.distance).toBe(3);
    expect([...near].map(pair => [pair.a.index, pair.b.index, pair.distance])).toEqual([[0, 1, 3]]);
    expect(meeting.length).toBe(0);
    expect([...point.distances]).toEqual([3.5]);
  });

  it('sees later what changed when it is asked again', async () => {
    const { scene, a, b, load, arrive } = sceneWithLateCode();
    const late = onDemand(load, 'distance');
    const first = late(scene, a, b);
    b.pose = at(3);
    const second = late(scene, a, b);
    arrive();
    expect([(await first).distance, (await second).distance]).toEqual([3, 2]);
    expect((await late(scene, a, b)).distance).toBe(2);
    scene.close();
  });
});

it('reads the arguments as they were at the call', async () => {
  const { scene, a, load, arrive } = sceneWithLateCode();
  const points = new Float64Array([2, 0, 0]);
  const asked = onDemand(load, 'closest')(scene, a, points);
  points.fill(NaN);
  arrive();
  expect([...(await asked).distances]).toEqual([1.5]);
  scene.close();
});

it('loads once, asks at once from then on, and tries again after a failure', async () => {
  const { scene, a, b, load, arrive, loads } = sceneWithLateCode();
  arrive();
  let isOffline = true;
  const late = onDemand(async () => {
    const module = await load();
    if (isOffline) throw new TypeError('Failed to fetch dynamically imported module');
    return module;
  }, 'distance');
  await expect(late(scene, a, b)).rejects.toThrow(TypeError);
  isOffline = false;
  expect((await late(scene, a, b)).distance).toBe(3);
  expect((await late(scene, a, b)).distance).toBe(3);
  expect(loads()).toBe(2);
  scene.close();
});

it('rejects wrong arguments, aborts and closed libraries as if the code had been there', async () => {
  const { scene, a, b, load, arrive } = sceneWithLateCode();
  const late = onDemand(load, 'distance');
  const stop = new AbortController();
  const asked = [
    late(scene, a, a),
    late(scene, a, b, { signal: stop.signal }),
    late(scene, a, nf.scene().add(box())),
  ];
  stop.abort(new Error('enough'));
  arrive();
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(asked[0]).rejects.toMatchObject({ code: 'bad-option' });
  await expect(asked[1]).rejects.toThrow('enough');
  await expect(asked[2]).rejects.toMatchObject({ code: 'bad-option' });
  scene.close();
  await expect(onDemand(load, 'distance')(scene, a, b)).rejects.toMatchObject({ code: 'closed' });

  const other = await open({ backend: 'cpu' });
  const closing = other.scene();
  const [c, d] = [closing.add(box()), closing.add(box(), { pose: at(4) })];
  const interrupted = onDemand(load, 'distance')(closing, c, d);
  other.close();
  await expect(interrupted).rejects.toMatchObject({ code: 'closed' });
});

it('copies arguments: what two share stays shared, and what is no plain data stays itself', () => {
  const scene = nf.scene();
  const body = scene.add(box());
  const joint = { axis: [0, 0, 1], from: 0 };
  const { signal } = new AbortController();
  const detached = new Float64Array(3);
  structuredClone(detached, { transfer: [detached.buffer] });
  const given = { bodies: [{ body, joints: [joint] }, { joints: [joint] }], signal, nothing: null };
  const copy = asGiven(given);
  expect(copy).toEqual(given);
  expect(copy.bodies[0].joints[0]).toBe(copy.bodies[1].joints[0]);
  expect(copy.bodies[0].joints[0]).not.toBe(joint);
  expect(copy.bodies[0].body).toBe(body);
  expect(copy.signal).toBe(signal);
  expect(asGiven([detached])[0]).toBe(detached);
  const round: unknown[] = [];
  round.push(round);
  expect(asGiven(round)[0]).not.toBe(round);
  scene.close();
});
