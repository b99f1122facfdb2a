// Questions that a GPU answers about bodies that were deformed, by arrays and by buffers.

import type { Scene } from 'nearfield';
import { beforeAll, describe } from 'vitest';
import { bufferOf } from '../../packages/nearfield/src/gpu/testing/test-buffers.ts';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { openBoth } from '../spec/both-engines.ts';
import { deformedSpec } from '../spec/deformed.ts';
import { gpuQuestions } from '../spec/faults/close-while-waiting.ts';
import { type FaultQuestion, questions } from '../spec/faults/scenes.ts';

const both = openBoth();

/** Questions as published, on render pipelines. */
const drawn: readonly FaultQuestion[] = [
  ...(['stencil', 'queries', 'pixels'] as const).map(counting => ({
    name: `raycast, ${counting}`,
    solids: true,
    ask: (scene: Scene) =>
      scene.sampledInterferences({ method: 'raycast', counting, ask: 'both', resolution: 32, views: 3 }),
  })),
  {
    name: 'layers, drawn',
    solids: true,
    ask: scene => scene.sampledInterferences({ method: 'layers', form: 'drawn', resolution: 16 }),
  },
];
/** Few of those that the CPU answers as well. */
const few = questions.filter(({ name }) => /^(interferences$|closest$|rays$|field$|within$)/.test(name));
const spec = { scene: () => both.gpu.scene(), questions: [...few, ...gpuQuestions, ...drawn] };

describe('by arrays', () => deformedSpec(spec));

describe('by buffers', () => {
  let device: GPUDevice;
  beforeAll(async () => {
    ({ device } = await testDevice());
  });
  deformedSpec({ ...spec, deform: (body, positions) => body.deform(bufferOf(device, positions)) });
});
