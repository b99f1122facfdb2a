// Files are untrusted: whatever the bytes, the result is bodies or an error of the library that names the file, in
// short time and in memory of the order of the file.

import { NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../packages/io/src/read-file.ts';
import {
  encode,
  glb,
  gltfJson,
  objText,
  offText,
  plyBinary,
  plyText,
  refusal,
  stlBinary,
  stlText,
  urdfText,
} from '../../packages/io/src/testing/samples.ts';
import { tetrahedronModel, threeMf } from '../../packages/io/src/testing/three-mf.ts';

const sound: [string, Uint8Array][] = [
  ['s.obj', encode(objText)],
  ['s.off', encode(offText)],
  ['text.ply', encode(plyText)],
  ['little.ply', plyBinary(true)],
  ['big.ply', plyBinary(false)],
  ['text.stl', encode(stlText())],
  ['binary.stl', stlBinary()],
  ['s.glb', glb(gltfJson())],
  ['s.3mf', threeMf(tetrahedronModel())],
  ['s.urdf', encode(urdfText)],
];

/** A third of the values of a byte, other ones for its neighbours; in the full run all. */
const someOf = (values: readonly number[], at: number): readonly number[] =>
  process.env['NEARFIELD_SLOW'] ? values : values.filter((_, i) => i % 3 === at % 3);

/** Reads a file. Passes if the result is bodies or an error of the library. */
async function survives(name: string, bytes: Uint8Array, what: string): Promise<void> {
  try {
    for (const { mesh } of (await readFile(name, bytes)).bodies) {
      expect(mesh.vertexCount, what).toBeLessThan(10_000);
    }
  } catch (error) {
    if (!(error instanceof NearfieldError)) throw new Error(`${name}, ${what}: ${error}`, { cause: error });
    expect(error.message.startsWith(`${name}: `), what).toBe(true);
    expect(error.message, what).not.toMatch(/\n/);
  }
}

describe.each(sound)('%s', (name, bytes) => {
  it('survives being cut at every length', async () => {
    for (let length = 0; length < bytes.length; length++) {
      await survives(name, bytes.slice(0, length), `cut to ${length} bytes`);
    }
  });

  it('survives a change of every byte', async () => {
    for (let at = 0; at < bytes.length; at++) {
      for (const value of someOf([0, 10, 32, 45, 57, 92, 127, 255, bytes[at] ^ 1], at)) {
        const changed = bytes.slice();
        changed[at] = value;
        await survives(name, changed, `byte ${at} set to ${value}`);
      }
    }
  });

  it('survives many changes at once', async () => {
    let state = 12345;
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < (process.env.NEARFIELD_SLOW ? 3000 : 60); round++) {
      const seed = state;
      const changed = bytes.slice();
      for (let i = next(8); i >= 0; i--) changed[next(bytes.length)] = next(256);
      await survives(name, changed, `seed ${seed}`);
    }
  });

  it('survives another format’s bytes', async () => {
    for (const [, other] of sound) await survives(name, other, 'another format');
  });
});

it('a path where the bytes belong', async () => {
  for (const ask of [
    readFile('a.obj', undefined as never),
    readFile(encode(objText) as never, 'a.obj' as never),
  ]) {
    await expect(ask).rejects.toThrow("readFile takes a name and the file's bytes: readFile('a.obj', bytes)");
  }
});

it('a 3MF survives a change of every byte of its model, and loses no triangle', async () => {
  const model = encode(tetrahedronModel());
  let read = 0;
  for (let at = 0; at < model.length; at++) {
    for (const value of someOf([0, 32, 34, 45, 57, 60, 62, 255, model[at] ^ 1], at)) {
      const changed = model.slice();
      changed[at] = value;
      try {
        const { bodies } = await readFile('m.3mf', threeMf(changed));
        read++;
        expect(bodies.map(({ mesh }) => mesh.triangleCount)).toEqual([4]);
      } catch (error) {
        if (!(error instanceof NearfieldError))
          throw new Error(`byte ${at}, ${value}: ${error}`, { cause: error });
        expect(error.message).toMatch(/^m\.3mf: [^\n]*$/);
      }
    }
  }
  // Other coordinates are still a file.
  expect(read).toBeGreaterThan(10);
});

describe('sizes', () => {
  it.each(['x.obj', 'x.off', 'x.ply', 'x.stl', 'x.gltf', 'x.glb', 'x.3mf', 'x.urdf'])(
    '%s of one long line',
    async name => {
      for (const byte of ['a', ' ', '1', '\\', '\0', '/']) {
        await refusal(name, encode(byte.repeat(3_000_000)));
      }
      await survives(name, encode(`f ${'1 '.repeat(100)}`), 'face');
    },
  );

  it('reads a polygon of a million corners into a million triangles', async () => {
    const { bodies } = await readFile(
      'fan.obj',
      encode(`v 0 0 0\nv 1 0 0\nv 0 1 0\nf ${'1 2 3 '.repeat(333_334)}\n`),
    );
    expect(bodies[0].mesh.triangleCount).toBe(1_000_000);
  });

  it('splits 100,000 groups in time', async () => {
    let text = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
    for (let i = 0; i < 100_000; i++) text += `g ${i}\nf 1 2 3\n`;
    expect((await readFile('groups.obj', encode(text))).bodies).toHaveLength(100_000);
  });

  it('names bodies in UTF-8, and accepts invalid UTF-8', async () => {
    const text = 'v 0 0 0\nv 1 0 0\nv 0 1 0\no Zahnrad ü\nf 1 2 3\n';
    expect((await readFile('u.obj', encode(text))).bodies[0].name).toBe('Zahnrad ü');
    const latin = Uint8Array.from(text, character => character.charCodeAt(0));
    expect((await readFile('l.obj', latin)).bodies[0].name).toBe('Zahnrad �');
  });
});
