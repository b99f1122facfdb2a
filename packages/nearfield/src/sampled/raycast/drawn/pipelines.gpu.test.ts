import { expect, it, vi } from 'vitest';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { createDrawnPipelines } from './pipelines.ts';

it('are compiled again after a failure', async () => {
  const { device } = await testDevice();
  const pipelines = await createDrawnPipelines(device);
  const compile = vi.spyOn(device, 'createRenderPipelineAsync');
  try {
    compile.mockRejectedValueOnce(new Error('no memory'));
    await expect(pipelines.naming('wide')).rejects.toThrow('no memory');
  } finally {
    compile.mockRestore();
  }
  expect((await pipelines.naming('wide')).width).toBe('wide');
});
