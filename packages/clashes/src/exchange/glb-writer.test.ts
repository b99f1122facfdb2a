import { expect, it } from 'vitest';
import { finish } from '../steps/steps.ts';
import { GlbWriter } from './glb-writer.ts';

it('writes more nodes than a call has room for arguments: 100,000 parts were refused as out of memory', () => {
  const writer = new GlbWriter([{ name: 'point' }]);
  const count = 150_000;
  for (let i = 0; i < count; i++) {
    writer.addNode(`n${i}`, [i, 0, 0], 0, 1, {}, { positions: Float32Array.of(0, 0, 0, 1, 1, 1) });
  }
  const bytes = finish(writer.finish('test'));
  const view = new DataView(bytes.buffer);
  expect(view.getUint32(8, true)).toBe(bytes.length);
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonLength)));
  expect(json.nodes).toHaveLength(count);
  expect(json.nodes.at(-1)).toMatchObject({ name: `n${count - 1}`, mesh: count - 1 });
  expect(view.getUint32(20 + jsonLength, true)).toBe(24 * count);
  expect(json.buffers).toEqual([{ byteLength: 24 * count }]);
});
