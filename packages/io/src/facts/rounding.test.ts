// `rounding` against numbers that were really rounded: random coordinates are written in each format, read, and
// compared exactly with what was to be written. No position may be off by more, and the bound must not be loose.

import { applyPose } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { readFile } from '../read-file.ts';
import { dracoGlb, encodeDraco } from '../testing/compressed.ts';
import { randomBelow } from '../testing/random.ts';
import { encode, glb, gltfJson } from '../testing/samples.ts';

const seed = Number(process.env.NEARFIELD_SEED ?? 19);
const next = randomBelow(seed);
const real = () => next(2 ** 31) / 2 ** 31;

/** Random coordinates up to `size`, around `centre`. */
const points = (count: number, size: number, centre = 0): number[] =>
  Array.from({ length: 3 * count }, () => centre + size * (2 * real() - 1));

const triangles = (count: number) =>
  Array.from({ length: 3 * (count - 2) }, (_, i) => Math.floor(i / 3) + (i % 3));

/** The largest distance between a position as meant and as read, in multiples of the stated rounding. */
async function worst(name: string, bytes: Uint8Array, meant: readonly number[]): Promise<number> {
  const { bodies } = await readFile(name, bytes);
  const { mesh, pose, rounding } = bodies[0];
  expect(rounding, `${name}, seed ${seed}`).toBeGreaterThan(0);
  let largest = 0;
  const place = new Float64Array(3);
  for (let i = 0; i < meant.length; i += 3) {
    const local = mesh.positions.subarray(i, i + 3);
    if (pose) applyPose(pose, local[0], local[1], local[2], place, 0);
    else place.set(local);
    const off = Math.hypot(place[0] - meant[i], place[1] - meant[i + 1], place[2] - meant[i + 2]);
    largest = Math.max(largest, off / rounding!);
  }
  return largest;
}

const objOf = (values: readonly number[], print: (value: number) => string): Uint8Array => {
  let text = '';
  for (let i = 0; i < values.length; i += 3)
    text += `v ${values
      .slice(i, i + 3)
      .map(print)
      .join(' ')}\n`;
  const corners = triangles(values.length / 3);
  for (let i = 0; i < corners.length; i += 3)
    text += `f ${corners
      .slice(i, i + 3)
      .map(corner => corner + 1)
      .join(' ')}\n`;
  return encode(text);
};

function stlOf(values: readonly number[]): Uint8Array {
  const count = values.length / 9;
  const bytes = new Uint8Array(84 + 50 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  for (let i = 0; i < values.length; i++)
    view.setFloat32(84 + 50 * Math.floor(i / 9) + 12 + 4 * (i % 9), values[i], true);
  return bytes;
}

describe('text', () => {
  const formats: [string, (value: number) => string][] = [
    ['%.3f', value => value.toFixed(3)],
    ['%.6f', value => value.toFixed(6)],
    ['%.4f without trailing zeros', value => String(Number(value.toFixed(4)))],
    ['%.6g', value => String(Number(value.toPrecision(6)))],
    ['%.6e', value => value.toExponential(6)],
    ['%.5f of a double, printed with all digits', value => Number(value.toFixed(5)).toPrecision(17)],
    ['single precision widened', value => String(Math.fround(value))],
  ];
  it.each(formats)('%s', async (_, print) => {
    for (const [size, centre] of [
      [60, 0],
      [700, 0],
      [30, 4500],
    ]) {
      const meant = points(300, size, centre);
      const off = await worst('a.obj', objOf(meant, print), meant);
      expect(off, `seed ${seed}, size ${size}`).toBeLessThanOrEqual(1 + 1e-6);
      expect(off, `seed ${seed}, size ${size}`).toBeGreaterThan(0.05);
    }
  });

  const boxes = (places: readonly (readonly [number, number])[], print: (value: number) => string) =>
    places
      .map(([low, size], i) => {
        const corners = [0, 1, 2, 4].map(bits => [0, 1, 2].map(axis => low + ((bits >> axis) & 1) * size));
        const vertices = corners.map(corner => `v ${corner.map(print).join(' ')}\n`).join('');
        return `o ${i}\n${vertices}f -4 -3 -2\nf -4 -3 -1\n`;
      })
      .join('');
  const roundings = async (text: string) =>
    (await readFile('a.obj', encode(text))).bodies.map(({ rounding }) => rounding! / Math.sqrt(3));

  it('a part far away, of large numbers, says nothing about the digits of the others', async () => {
    const places = [
      [12345.67, 30],
      [1.23456, 2],
      [1.5, 1],
    ] as const;
    const [far, near, round] = await roundings(boxes(places, value => String(Number(value.toPrecision(6)))));
    expect(far).toBeLessThan(1e-9); // 30 is less than a thousand times the last place, 0.1.
    expect([near, round]).toEqual([expect.closeTo(0.5e-5, 12), expect.closeTo(0.5e-5, 12)]);
    const fixed = await roundings(boxes(places, value => value.toFixed(4)));
    for (const rounding of fixed.slice(0, 2)) expect(rounding).toBeCloseTo(0.5e-4, 12);
  });

  it('numbers on a grid at map coordinates are taken as meant', async () => {
    for (const rounding of await roundings(boxes([[2600123.5, 17.5]], String)))
      expect(rounding).toBeLessThan(1e-9);
  });

  it.each([
    ['nothing but 0', 0, 0],
    ['the smallest numbers', 0, 5e-324],
    ['small numbers', 1e-300, 1.2345678e-299],
    ['large numbers', 1e300, 1.2345678e300],
  ])('%s', async (_, low, size) => {
    const text = boxes(
      [
        [low, size],
        [0.123456, 0.2345678],
      ],
      String,
    );
    for (const rounding of await roundings(text)) expect(rounding).toBeGreaterThanOrEqual(0);
  });

  it('takes short numbers at their word', async () => {
    const cube = 'v 0 0 0\nv 0.5 0 0\nv 0 12 0\nv 0 0 1200\nf 1 2 3\nf 1 2 4\n';
    const { bodies } = await readFile('short.obj', encode(cube));
    expect(bodies[0].rounding).toBeLessThan(1e-12);
  });
});

describe('binary', () => {
  it('single precision', async () => {
    const meant = points(300, 35);
    const off = await worst('a.stl', stlOf(meant), meant);
    expect(off).toBeLessThanOrEqual(1);
    expect(off).toBeGreaterThan(0.3);
  });

  it('is half a unit in the last place of the largest coordinate', async () => {
    // 35 lies between 32 and 64: its unit in the last place is 2^-18. The other axes are small.
    const { bodies } = await readFile('a.stl', stlOf([35, 0, 0, 0, 1, 0, 0, 0, 1]));
    expect(bodies[0].rounding).toBe(Math.hypot(2 ** -19, 2 ** -24, 2 ** -24));
  });
});

describe('glTF', () => {
  const scene = (meant: readonly number[], node: object): [ReturnType<typeof gltfJson>, Uint8Array] => {
    const json = gltfJson();
    const vertexCount = meant.length / 3;
    json.meshes[0].primitives = [{ attributes: { POSITION: 0 }, mode: 5 }];
    json.accessors = [{ bufferView: 0, componentType: 5126, count: vertexCount, type: 'VEC3' }];
    json.bufferViews = [{ buffer: 0, byteLength: 12 * vertexCount }];
    json.buffers = [{ byteLength: 12 * vertexCount }];
    json.nodes = [{ mesh: 0, ...node }];
    return [json, new Uint8Array(Float32Array.from(meant).buffer)];
  };
  const cos = Math.cos(0.7);
  const sin = Math.sin(0.7);
  const matrix = [
    3 * cos,
    3 * sin,
    0,
    0,
    -2 * sin,
    2 * cos,
    0,
    0,
    0,
    0,
    1 / 3,
    0,
    712.3456789,
    -8.1234567,
    1 / 7,
    1,
  ];
  const placed = (local: readonly number[]): number[] => {
    const world = new Float64Array(local.length);
    for (let i = 0; i < local.length; i += 3)
      applyPose(Float64Array.from(matrix), local[i], local[i + 1], local[i + 2], world, i);
    return [...world];
  };

  it('adds the rounding of a matrix in single precision, and none of one in double', async () => {
    const local = points(200, 30);
    const exact = scene(local, { matrix });
    const rounded = scene(local, { matrix: matrix.map(Math.fround) });
    const printed = scene(local, { matrix: matrix.map(value => Number(Math.fround(value).toPrecision(9))) });
    const of = async (made: typeof exact) => (await readFile('a.glb', glb(...made))).bodies[0].rounding!;
    expect(await of(rounded)).toBeGreaterThan(5 * (await of(exact)));
    for (const made of [exact, rounded, printed]) {
      const off = await worst('a.glb', glb(...made), placed(local));
      expect(off, `seed ${seed}`).toBeLessThanOrEqual(1);
      expect(off, `seed ${seed}`).toBeGreaterThan(0.1);
    }
  });

  describe('far from the origin, a translation', () => {
    const roundingAt = async (node: object) => {
      const [json, binary] = scene([0, 0, 0, 1, 0, 0, 0, 1, 0], node);
      return (await readFile('a.glb', glb(json, binary))).bodies[0].rounding!;
    };
    const moved = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
    const floats = [2600123.457, 1200456.789, 430.123].map(Math.fround);
    // As floats are written: as doubles, with the fewest digits, with nine.
    const fewest = floats.map(x =>
      Number([7, 8, 9].map(n => x.toPrecision(n)).find(t => Math.fround(Number(t)) === x)),
    );
    const nine = floats.map(x => Number(x.toPrecision(9)));

    it.each([
      ['of three decimals', [2600123.457, 1200456.789, 430.123]],
      ['of one decimal', [2600123.4, 1200456.7, 430.1]],
      ['of whole metres', [2600123, 1200456, 430]],
      ['of all digits', [2600123 + 1 / 3, 1200456 + 1 / 7, 430 + 1 / 9]],
    ])('in doubles, %s, adds nothing', async (_, at) => {
      const [x, y, z] = at;
      for (const node of [{ matrix: moved(x, y, z) }, { translation: at }])
        expect(await roundingAt(node)).toBeLessThan(1e-6);
    });

    it.each([
      ['as doubles', floats],
      ['with the fewest digits', fewest],
      ['with nine digits', nine],
      ['above 2^23, where floats are whole numbers', [26001234, 12004568, 430].map(Math.fround)],
    ])('in floats that are written %s, adds half a unit in the last place', async (_, at) => {
      const [x, y, z] = at;
      const half = x > 2 ** 24 ? 1 : 0.125;
      for (const node of [{ matrix: moved(x, y, z) }, { translation: at }]) {
        const rounding = await roundingAt(node);
        expect(rounding).toBeGreaterThanOrEqual(half);
        expect(rounding).toBeLessThan(2 * half);
      }
    });

    it('tells random doubles of four decimals from floats, and calls no float a double', async () => {
      for (let i = 0; i < 60; i++) {
        const at = [1e6, 1e5, 1e4].map(size => size * (1 + 8 * real()));
        const [x, y, z] = at.map(Math.fround);
        const written = [at.map(Math.fround), [x, y, z].map(v => Number(v.toPrecision(9)))];
        for (const translation of written)
          expect(await roundingAt({ translation }), `seed ${seed}`).toBeGreaterThan(0.01);
        const translation = at.map(v => Number(`${v.toFixed(3)}7`));
        expect(await roundingAt({ translation }), `seed ${seed}`).toBeLessThan(1e-6);
      }
    });
  });

  it('adds the rounding of every node on the way down', async () => {
    const local = points(200, 1);
    const quarter = [0, 0, Math.fround(Math.SQRT1_2), Math.fround(Math.SQRT1_2)];
    const [json, binary] = scene(local, { translation: [Math.fround(900.1), 0, 0] });
    json.nodes.push({ children: [0], rotation: quarter });
    json.scenes = [{ nodes: [1] }];
    const meant: number[] = [];
    for (let i = 0; i < local.length; i += 3) meant.push(-local[i + 1], local[i] + 900.1, local[i + 2]);
    const off = await worst('a.glb', glb(json, binary), meant);
    expect(off).toBeLessThanOrEqual(1);
    expect(off).toBeGreaterThan(0.02);
  });

  it('counts half a quantum of normalised integers', async () => {
    const meant = points(200, 1);
    const [json] = scene(meant, { scale: [50, 50, 50] });
    json.extensionsRequired = ['KHR_mesh_quantization'];
    json.accessors[0] = { bufferView: 0, componentType: 5122, normalized: true, count: 200, type: 'VEC3' };
    json.bufferViews[0].byteLength = 1200;
    json.buffers[0].byteLength = 1200;
    const binary = new Uint8Array(Int16Array.from(meant, value => Math.round(value * 32767)).buffer);
    const off = await worst(
      'a.glb',
      glb(json, binary),
      meant.map(value => 50 * value),
    );
    expect(off).toBeLessThanOrEqual(1);
    expect(off).toBeGreaterThan(0.5);
  });

  it('counts half a step of Draco', async () => {
    const meant = points(200, 20);
    const corners = Uint32Array.from(triangles(200));
    const bytes = dracoGlb(await encodeDraco(Float32Array.from(meant), corners), corners.length / 3);
    const { bodies } = await readFile('a.glb', bytes);
    const { mesh, rounding } = bodies[0];
    // 14 bits of a range of 40; Draco reorders the vertices.
    expect(rounding).toBeGreaterThan((Math.sqrt(3) * 0.5 * 39) / 2 ** 14);
    expect(rounding).toBeLessThan((Math.sqrt(3) * 0.5 * 41) / 2 ** 14);
    for (let i = 0; i < mesh.positions.length; i += 3) {
      let nearest = Infinity;
      for (let k = 0; k < meant.length; k += 3) {
        const [x, y, z] = [0, 1, 2].map(axis => mesh.positions[i + axis] - meant[k + axis]);
        nearest = Math.min(nearest, Math.hypot(x, y, z));
      }
      expect(nearest).toBeLessThanOrEqual(rounding!);
    }
  });
});
