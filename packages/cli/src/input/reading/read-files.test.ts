// Files read at once in other threads: the same as in turn, whatever becomes of the threads.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRandom } from 'nearfield/shapes';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dracoGlb, dracoTetrahedron } from '../../../../io/src/testing/compressed.ts';
import { ifcText } from '../../../../io/src/testing/ifc-samples.ts';
import {
  encode,
  glb,
  gltfBuffer,
  gltfJson,
  offText,
  plyBinary,
  stlBinary,
  stlText,
} from '../../../../io/src/testing/samples.ts';
import { joint, link, robot } from '../../../../io/src/testing/urdf-samples.ts';
import { limitMachine } from '../../backend.ts';
import { Files } from '../../files.ts';
import { boxObj, runIn, testFolder } from '../../testing.ts';
import { type ReadingOptions, readFiles } from './read-files.ts';
import type { FileRead } from './read-one.ts';
import { Reader } from './reader.ts';

beforeEach(() => limitMachine({ threads: 3 }));
afterEach(() => {
  limitMachine({});
  vi.restoreAllMocks();
});

/** Bodies with poses that share a mesh, with extras; some have no pose. */
const instanced = (): Uint8Array =>
  glb({
    ...gltfJson(),
    scenes: [{ nodes: [0, 1, 2] }],
    nodes: [
      { name: 'first', mesh: 0, translation: [1, 2, 3], extras: { colour: 'red', level: 3 } },
      { name: 'second', mesh: 0, rotation: [0.6, 0, 0, 0.8], children: [3] },
      { name: 'plain', mesh: 0 },
      { name: 'below', mesh: 0, scale: [1, 2, 0.5] },
    ],
  });

/** A folder with a file of most kinds. Some refer to others. */
async function models(): Promise<{ folder: string; names: string[] }> {
  const arm = robot(
    link('base', '<mesh filename="parts/a.stl"/>'),
    link('arm', '<box size="1 2 3"/>'),
    joint('turn', 'revolute', 'base', 'arm', '<axis xyz="0 0 1"/><limit lower="-1" upper="1"/>'),
  );
  const apart = { ...gltfJson(), buffers: [{ byteLength: 72, uri: 'data.bin' }] };
  const files = {
    'boxes.obj': [0, 0.5, 3].map(x => boxObj(x, 0, 0, 1, `box ${x}`)).join(''),
    'a.stl': stlBinary(),
    'text.stl': stlText(),
    'a.ply': plyBinary(true),
    'a.off': offText,
    'many.glb': instanced(),
    'packed.glb': dracoGlb(await dracoTetrahedron()),
    'apart.gltf': JSON.stringify(apart),
    'data.bin': gltfBuffer(),
    'wall.ifc': ifcText(),
    'arm.urdf': arm,
  };
  const folder = testFolder(files);
  mkdirSync(join(folder, 'parts'));
  writeFileSync(join(folder, 'parts/a.stl'), stlBinary());
  return { folder, names: Object.keys(files).filter(name => name !== 'data.bin') };
}

interface Outcome {
  readonly read: readonly FileRead[];
  readonly files: Files;
  /** How many files other threads have read; 0 if all were read in turn. */
  readonly others: number;
  readonly shares: readonly number[];
}

async function readIn(
  folder: string,
  names: readonly string[],
  changes: Partial<ReadingOptions> = {},
  files = new Files(folder),
): Promise<Outcome> {
  const shares: number[] = [];
  let others = 0;
  const reading = {
    ...{ progress: (share: number) => shares.push(share), signal: new AbortController().signal },
    ...{ leastSeconds: 0, readByOthers: (count: number) => (others = count) },
    ...changes,
  };
  const read = await readFiles(names, { properties: true }, files, reading);
  return { read, files, others, shares };
}

const inTurn = { leastSeconds: Infinity };

/** What a check sees of what was read: every number of every mesh, too. */
const seen = (read: readonly FileRead[]): unknown =>
  read.map(({ bodies, ...rest }) => {
    const meshes = [...new Set(bodies.map(body => body.mesh))];
    const arrays = meshes.map(({ positions, indices }) => [positions, indices]);
    return { ...rest, arrays, bodies: bodies.map(body => ({ ...body, mesh: meshes.indexOf(body.mesh) })) };
  });

const sorted = (map: ReadonlyMap<string, unknown>): unknown[] =>
  [...map].sort(([p], [q]) => (p < q ? -1 : 1));

describe('files that are read at once', () => {
  it('hold the same as in turn, and are all read by other threads', async () => {
    const { folder, names } = await models();
    const expected = await readIn(folder, names, inTurn);
    expect(expected.others).toBe(0);
    const found = await readIn(folder, names);
    expect(found.others).toBe(names.length);
    expect(seen(found.read)).toEqual(seen(expected.read));
    for (const what of ['inputs', 'hashes', 'folders'] as const)
      expect(sorted(found.files.seen[what]), what).toEqual(sorted(expected.files.seen[what]));
    for (const { shares } of [expected, found]) {
      expect(shares.every((share, i) => share >= (shares[i - 1] ?? 0))).toBe(true);
      expect(shares[0]).toBe(0);
      expect(shares.at(-1)).toBeCloseTo(1, 12);
    }
  });

  it('give the same answer of a check, and the same warnings', async () => {
    const { folder, names } = await models();
    // Large, as far as the check can tell. So threads read them.
    vi.spyOn(Files.prototype, 'sizeOf').mockResolvedValue(3e8);
    const reads = vi.spyOn(Reader.prototype, 'read');
    const answerTo = async (threads: number) => {
      const words = ['check', ...names, 'boxes.obj', '--json', '--backend', 'cpu', '--units', 'm'];
      const { status, out, err } = await runIn(folder, [...words, '--threads', `${threads}`]);
      const { timing: _, ...answer } = JSON.parse(out);
      return { status, err, answer };
    };
    const one = await answerTo(1);
    expect(one.answer.pairs.length).toBeGreaterThan(3);
    expect(reads).not.toHaveBeenCalled();
    expect(await answerTo(3)).toEqual(one);
    expect(reads).toHaveBeenCalledTimes(names.length);
  });

  it('are refused as in turn: the first of those that are wrong', async () => {
    const random = createRandom(5);
    const wrong = {
      'bad.obj': 'v 0 0 0\nf 1 2 3\n',
      'empty.stl': '',
      'lost.gltf': JSON.stringify({ ...gltfJson(), buffers: [{ byteLength: 72, uri: 'none.bin' }] }),
      'cut.glb': instanced().subarray(0, 300),
      'odd.xyz': 'what is this',
    };
    const right = Array.from({ length: 6 }, (_, i) => [`${i}.obj`, boxObj(i, 0, 0)] as const);
    const folder = testFolder({ ...wrong, ...Object.fromEntries(right) });
    const all = [...Object.keys(wrong), 'missing.obj', ...right.map(([name]) => name)];
    const refusalOf = (names: readonly string[], changes: Partial<ReadingOptions>) =>
      readIn(folder, names, changes).then(
        () => undefined,
        ({ code, message }) => ({ code, message }),
      );
    for (let run = 0; run < 8; run++) {
      const names = all.map(name => ({ name, order: random.next() })).sort((p, q) => p.order - q.order);
      const some = names.slice(0, 8).map(({ name }) => name);
      const expected = await refusalOf(some, inTurn);
      expect(expected?.message).toContain(some.find(name => !/^\d/.test(name)));
      expect(await refusalOf(some, {}), `${some}`).toEqual(expected);
    }
  });

  it('are read in turn if threads cannot be started, fail or end', async () => {
    const { folder, names } = await models();
    const expected = seen((await readIn(folder, names, inTurn)).read);
    const threads = {
      'throws.mjs': `import { parentPort } from 'node:worker_threads';
        parentPort.on('message', () => { throw new Error('bad'); });`,
      'ends.mjs': `import { parentPort } from 'node:worker_threads';
        parentPort.on('message', () => process.exit(1));`,
      'refuses.mjs': `import { parentPort } from 'node:worker_threads';
        const refused = { code: 'out-of-memory', message: 'no room beside the others' };
        parentPort.on('message', () => parentPort.postMessage({ refused }));`,
    };
    for (const [name, text] of Object.entries(threads)) writeFileSync(join(folder, name), text);
    for (const name of [...Object.keys(threads), 'missing.mjs']) {
      const { read, others } = await readIn(folder, names, { url: pathToFileURL(join(folder, name)) });
      expect(others, name).toBe(0);
      expect(seen(read), name).toEqual(expected);
    }
  });

  it('are given up when they are cancelled, though a thread is busy', async () => {
    const folder = testFolder({
      ...Object.fromEntries([1, 2, 3, 4].map(i => [`${i}.obj`, boxObj(i, 0, 0)])),
      'busy.mjs': `import { parentPort } from 'node:worker_threads';
        parentPort.on('message', () => { parentPort.postMessage({ done: 0.5 }); for (;;); });`,
    });
    const controller = new AbortController();
    const reason = new Error('enough');
    const asked = readIn(folder, ['1.obj', '2.obj', '3.obj', '4.obj'], {
      ...{ url: pathToFileURL(join(folder, 'busy.mjs')), signal: controller.signal },
      progress: share => share > 0 && controller.abort(reason),
    });
    await expect(asked).rejects.toBe(reason);
  });

  it('are fewer at once if they do not fit into --max-memory together', async () => {
    const folder = testFolder(Object.fromEntries([0, 1, 2, 3].map(i => [`${i}.obj`, boxObj(i, 0, 0)])));
    const names = ['0.obj', '1.obj', '2.obj', '3.obj'];
    /** How far reading was when each file was given to a thread. */
    const begunAt = async (maxMemory: number) => {
      limitMachine({ threads: 4, maxMemory });
      let now = 0;
      const begun: number[] = [];
      const { read } = Reader.prototype;
      vi.spyOn(Reader.prototype, 'read').mockImplementation(function (this: Reader, ...words) {
        begun.push(now);
        return read.apply(this, words);
      });
      const { others } = await readIn(folder, names, { progress: share => (now = share) });
      vi.restoreAllMocks();
      expect(others).toBe(4);
      return begun;
    };
    // One after the other: before the next is begun, those before it are done.
    const size = encode(boxObj(0, 0, 0)).length;
    const one = await begunAt(16 * size);
    expect(one.every((share, i) => share >= i / 4 - 1e-9)).toBe(true);
    const two = await begunAt(16 * 2 * size);
    expect(two[1]).toBe(0);
    expect(two[2]).toBeGreaterThanOrEqual(0.25 - 1e-9);
  });
});

it('few small files are read in turn, and so are all with one thread, and files that only this thread has', async () => {
  const { folder, names } = await models();
  expect((await readIn(folder, names, { leastSeconds: undefined })).others).toBe(0);
  const own = new (class extends Files {
    override get folder(): undefined {
      return undefined;
    }
  })(folder);
  expect((await readIn(folder, names, {}, own)).others).toBe(0);
  limitMachine({ threads: 1 });
  expect((await readIn(folder, names)).others).toBe(0);
});
