// The entry points of single questions: functions of a scene, beside the methods of the complete library.

import { open } from 'nearfield';
import * as contacts from 'nearfield/contacts';
import { mesh, openCpu } from 'nearfield/cpu';
import * as distance from 'nearfield/distance';
import { mesh as meshForGpu, openGpu } from 'nearfield/gpu';
import * as inspect from 'nearfield/inspect';
import * as interferences from 'nearfield/interferences';
import { mesh as meshAlone, NearfieldError } from 'nearfield/mesh';
import * as motion from 'nearfield/motion';
import * as overlap from 'nearfield/overlap';
import * as particles from 'nearfield/particles';
import * as penetration from 'nearfield/penetration';
import * as rays from 'nearfield/rays';
import * as regions from 'nearfield/regions';
import * as sampled from 'nearfield/sampled';
import * as shapes from 'nearfield/shapes';
import { afterAll, describe, expect, it } from 'vitest';

const host = await openCpu();
afterAll(() => host.close());
const scene = host.scene();
const a = scene.add(shapes.box());
const b = scene.add(shapes.icosphere({ frequency: 3 }));

const start = {
  position: new Float64Array(3),
  velocity: new Float64Array(3),
  life: Float64Array.of(1),
};

/** Functions of a scene by the rest of their arguments, which are right. */
const questions: Readonly<Record<string, readonly unknown[]>> = {
  ...{ broad: [], interferences: [], selfIntersections: [a], curves: [a, b] },
  ...{ inside: [a, new Float64Array(3)], distance: [a, b], within: [1], closest: [a, new Float64Array(3)] },
  ...{ penetration: [a, b], penetrationWithPoints: [a, b, { points: true }], contacts: [a, b] },
  rays: [a, new Float64Array([0, 0, 0, 1, 0, 0])],
  ...{ overlap: [a, b], deeperThan: [a, b, 1], depths: [[{ a, b }]], firstContact: [{ bodies: [] }] },
  ...{ sweep: [{ bodies: [] }], nearestApproach: [{ bodies: [] }] },
  ...{ sampledInterferences: [{ method: 'raycast', resolution: 16 }], intersectionVolume: [[a, b]] },
  ...{ field: [a, { resolution: 4 }], fieldSlabs: [a, { resolution: 4 }], fieldTexture: [a] },
  ...{ distanceMap: [a, b, { resolution: 4 }], steps: [[a, b], { method: 'hierarchy' }] },
  ...{ inBox: [a, new Float64Array(6)], inSphere: [a, new Float64Array(4)] },
  particles: [{ count: 1, start, colliders: [] }],
};
/** Functions of what another one gave. */
const stages = ['narrow', 'narrowSync', 'exact', 'exactOf'];

const modules = {
  contacts,
  distance,
  inspect,
  interferences,
  motion,
  overlap,
  particles,
  penetration,
  rays,
  regions,
  sampled,
};
const asked = Object.values(modules).flatMap(module =>
  Object.entries(module).filter(
    ([name, value]) => typeof value === 'function' && !/^class/.test(String(value)) && !stages.includes(name),
  ),
) as [string, (scene: unknown, ...rest: readonly unknown[]) => unknown][];

it('are all in the table', () => {
  const names = asked.map(([name]) => name.replace(/Sync$/, ''));
  expect(new Set(names)).toEqual(new Set(Object.keys(questions)));
});

describe.each(asked)('%s', (name, ask) => {
  const rest = questions[name.replace(/Sync$/, '')];

  it.each([undefined, null, 7, {}, a])('refuses what is no scene: %s', async given => {
    const outcome = await (async () => ask(given, ...rest))().catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(NearfieldError);
    expect(outcome).toMatchObject({ code: 'bad-option', message: expect.stringMatching(/scene|host/) });
  });

  it('takes one of the complete library', async () => {
    const nf = await open({ backend: 'cpu' });
    const other = nf.scene();
    const bodies = new Map([a, b].map(body => [body as unknown, other.add(body.mesh)]));
    const isPair = (value: unknown): value is { a: unknown; b: unknown } =>
      typeof value === 'object' && value !== null && 'b' in value;
    const place = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(place);
      return isPair(value) ? { a: place(value.a), b: place(value.b) } : (bodies.get(value) ?? value);
    };
    const outcome = await (async () =>
      ask(name.startsWith('particles') ? nf : other, ...rest.map(place)))().catch((error: unknown) => error);
    // What needs a GPU says so.
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'no-gpu' });
    nf.close();
  });
});

it('penetration without points says who tells of them', async () => {
  const options = { points: true } as object;
  await expect(penetration.penetration(scene, a, b, options)).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('penetrationWithPoints'),
  });
});

it('closes scenes and particles with the backend', async () => {
  const own = await openCpu();
  const closing = own.scene();
  const body = closing.add(shapes.box());
  const system = particles.particlesSync(own, questions['particles'][0] as never);
  const waiting = interferences.selfIntersections(closing, body);
  own.close();
  own.close();
  await expect(waiting).rejects.toMatchObject({ code: 'closed' });
  expect(() => own.scene()).toThrow(expect.objectContaining({ code: 'closed' }));
  expect(() => closing.add(shapes.box())).toThrow(expect.objectContaining({ code: 'closed' }));
  expect(() => system.impactsSync(0, 1)).toThrow(expect.objectContaining({ code: 'closed' }));
  expect(() => interferences.interferencesSync(closing)).toThrow(expect.objectContaining({ code: 'closed' }));
});

it('backends have the mesh of nearfield/mesh', () => {
  expect(mesh).toBe(meshAlone);
  expect(meshForGpu).toBe(meshAlone);
});

it('openGpu refuses options that it does not know, before it looks for a GPU', async () => {
  await expect(openGpu({ hardwareonly: true } as object)).rejects.toMatchObject({ code: 'bad-option' });
  await expect(openGpu({ device: {} as never })).rejects.toMatchObject({ code: 'bad-option' });
  await expect(openGpu({ hardwareOnly: 1 as never })).rejects.toMatchObject({ code: 'bad-option' });
});
