// A process that had asked a long question on several threads, and did not close the library, never ended: it waited for the
// other threads.

import { expect, it } from 'vitest';
import { runProgram } from '../../library/child.ts';

it('a process ends though the library is open and has started threads', async () => {
  const { status, out, err } = await runProgram({
    text: `
      import { open, shapes } from 'nearfield';
      import { coreOf } from './packages/nearfield/src/questions/bare-scene.ts';
      const nf = await open({ backend: 'cpu', threads: 2 });
      const scene = nf.scene();
      const ball = shapes.icosphere({ frequency: 30 });
      for (let i = 0; i < 2; i++) scene.add(ball);
      const { threads } = coreOf(scene).cpu;
      while (threads.ready === 0) await scene.interferences();
      console.log('asked');`,
  });
  expect({ status, out, err }).toEqual({ status: 0, out: 'asked\n', err: '' });
});
