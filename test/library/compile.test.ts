// Questions that can wait compile their WebAssembly without blocking the thread: browsers before 2023 refuse to compile
// more than 4 KB synchronously on a page's main thread.

import { contacts } from 'nearfield/contacts';
import { openCpu } from 'nearfield/cpu';
import { closest, distance, within } from 'nearfield/distance';
import { interferences } from 'nearfield/interferences';
import { overlap } from 'nearfield/overlap';
import { penetration } from 'nearfield/penetration';
import { rays } from 'nearfield/rays';
import { inBox, inSphere } from 'nearfield/regions';
import { field } from 'nearfield/sampled';
import * as shapes from 'nearfield/shapes';
import { afterEach, expect, test } from 'vitest';

const { Module } = WebAssembly;
afterEach(() => {
  WebAssembly.Module = Module;
});

test('no question that can wait compiles more than 4 KB synchronously', async () => {
  let largest = 0;
  WebAssembly.Module = new Proxy(Module, {
    construct(target, [bytes]) {
      largest = Math.max(largest, (bytes as Uint8Array).byteLength);
      return new target(bytes);
    },
  });
  const host = await openCpu();
  const scene = host.scene();
  const a = scene.add(shapes.box());
  const b = scene.add(shapes.icosphere({ frequency: 2 }));
  const asked = [
    closest(scene, a, new Float64Array([3, 0, 0])),
    distance(scene, a, b),
    within(scene, 1),
    penetration(scene, a, b),
    contacts(scene, a, b),
    overlap(scene, a, b),
    rays(scene, a, new Float64Array([3, 0, 0, -1, 0, 0])),
    inBox(scene, a, new Float64Array(6)),
    inSphere(scene, a, new Float64Array(4)),
    field(scene, a, { resolution: 4 }),
    interferences(scene),
  ];
  await Promise.all(asked);
  expect(largest).toBeLessThan(4096);
  host.close();
});
