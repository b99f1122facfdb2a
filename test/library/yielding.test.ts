// Does every long question let the event loop run? Work is done in steps, and after a slice of time the question yields. Here
// a clock says at every look that the slice is over, so that each step is followed by a yield, and yields are counted: the
// larger the input, the more steps. How fast the machine is does not matter.

import { type Body, mesh, open, type Scene, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

let nf: Awaited<ReturnType<typeof openCpu>>;
const openCpu = () => open({ backend: 'cpu' });
beforeAll(async () => {
  nf = await openCpu();
});
afterAll(() => nf.close());

/** A yield waits for a message of a channel made for it. */
let yields = 0;
const Channel = MessageChannel;
class CountedChannel extends Channel {
  constructor() {
    super();
    yields++;
  }
}

/** Asks while every look at the clock says that the slice is over. How often it yields. */
async function counting(ask: () => Promise<unknown>): Promise<number> {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
  vi.stubGlobal('MessageChannel', CountedChannel);
  yields = 0;
  try {
    await ask();
    return yields;
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  }
}

const posed = (x: number) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0.1, 0.2, 1);
const sphere = (frequency: number) => shapes.icosphere({ frequency });
/** A sphere that misses a triangle. */
const holed = (frequency: number) => {
  const { positions, indices } = sphere(frequency);
  return mesh(positions, indices.slice(3));
};

/** Numbers from 0 to 1: one group of `size` per vertex of the body. */
const inGroups = ({ mesh: { vertexCount } }: Body, size: number): Float64Array =>
  Float64Array.from({ length: size * vertexCount }, (_, i) => ((i * 7919) % 1009) / 1009);

/** How often a question about two bodies yields. */
async function yieldsOf(
  part: ReturnType<typeof sphere>,
  ask: (scene: Scene, a: Body, b: Body) => Promise<unknown>,
): Promise<number> {
  const scene = nf.scene();
  const [a, b] = [scene.add(part), scene.add(part, { pose: posed(0.5) })];
  // Trees are built first: how much of them one step does depends on the clock.
  await scene.interferences();
  const count = await counting(() => ask(scene, a, b));
  scene.close();
  return count;
}

describe('a question yields in proportion to its work', () => {
  // Fewer triangles than this per step would be a matter of microseconds, more a matter of milliseconds.
  const perStep = 20_000;
  const [small, large] = [20, 80];

  it.each([
    ['depths of open bodies', holed, (scene: Scene, a: Body, b: Body) => scene.depths([{ a, b }])],
    ['deeperThan of open bodies', holed, (scene: Scene, a: Body, b: Body) => scene.deeperThan(a, b, 0.1)],
    ['penetration', sphere, (scene: Scene, a: Body, b: Body) => scene.penetration(a, b)],
    ['inside', sphere, (scene: Scene, a: Body, b: Body) => scene.inside(a, b.mesh.positions)],
    ['closest', sphere, (scene: Scene, a: Body, b: Body) => scene.closest(a, b.mesh.positions)],
    ['rays', sphere, (scene: Scene, a: Body, b: Body) => scene.rays(a, inGroups(b, 6))],
    [
      'inSphere',
      sphere,
      (scene: Scene, a: Body, b: Body) => scene.inSphere(a, inGroups(b, 4), { detail: 'any' }),
    ],
  ])('%s', async (_, shape, ask) => {
    const few = await yieldsOf(shape(small), ask);
    const many = await yieldsOf(shape(large), ask);
    expect(many).toBeGreaterThan(few);
    expect(many).toBeGreaterThan(shape(large).triangleCount / perStep);
  });
});

/** A flat square of so many by so many smaller ones. */
function sheet(count: number) {
  const corners: number[] = [];
  for (let x = 0; x < count; x++)
    for (let y = 0; y < count; y++)
      corners.push(x, y, 0, x + 1, y, 0, x, y + 1, 0, x + 1, y, 0, x + 1, y + 1, 0, x, y + 1, 0);
  return mesh(Float64Array.from(corners));
}

/** Triangles with a corner at the same distance from the origin, which exact arithmetic alone tells. */
function equallyFar() {
  const corners: number[] = [];
  for (let x = -15; x <= 15; x++) {
    for (let y = -15; y <= 15; y++) {
      const z = Math.sqrt(15 * 15 - x * x - y * y);
      if (!Number.isInteger(z)) continue;
      corners.push(x, y, z, 2 * x + 1, 2 * y, 2 * z, 2 * x, 2 * y + 1, 2 * z);
    }
  }
  return mesh(Float64Array.from(corners));
}

describe('what is decided after a search yields in proportion to the points', () => {
  it.each([
    ['ties', equallyFar(), false, 1],
    ['signs of a solid', sphere(6), true, 16],
    ['signs of an open body', holed(6), true, 16],
  ])('closest: %s', async (_, part, signed, perStep) => {
    const yieldsFor = (count: number) =>
      yieldsOf(part, (scene, a) => scene.closest(a, new Float64Array(3 * count), { signed }));
    // The search alone looks at hundreds of points between two yields, and sorts no fewer than that.
    expect((await yieldsFor(240)) - (await yieldsFor(80))).toBeGreaterThanOrEqual(160 / perStep);
  });

  it('curves: pairs of triangles', async () => {
    const scene = nf.scene();
    const [a, b] = [scene.add(sheet(12)), scene.add(sheet(12))];
    const [{ triangleCount }] = await scene.interferences();
    const search = await counting(() => scene.interferences());
    const count = await counting(() => scene.curves(a, b));
    expect(count - search).toBeGreaterThan(triangleCount! / 256);
    scene.close();
  });

  it('rays: hits in the planes of triangles', async () => {
    const scene = nf.scene();
    const body = scene.add(sheet(12));
    const yieldsFor = (count: number) => {
      const rays = Float64Array.from({ length: 6 * count }, (_, i) => [-1, (i / 6) % 1, 0, 1, 0, 0][i % 6]);
      return counting(() => scene.rays(body, rays, { hits: 'all' }));
    };
    await yieldsFor(1);
    // Each of them meets 24 triangles or more. The search casts hundreds of rays between two yields.
    expect((await yieldsFor(400)) - (await yieldsFor(80))).toBeGreaterThan((320 * 24) / 512);
    scene.close();
  });

  it.each(['first', 'all'] as const)('rays: the hits of one ray, %s', async hits => {
    /** Squares of two triangles each, one above the other: a ray through their middles meets all of them on their diagonals. */
    const stack = (count: number) =>
      mesh(
        Float64Array.from(
          Array.from({ length: count }, (_, z) => [
            -1,
            -1,
            z,
            1,
            -1,
            z,
            1,
            1,
            z,
            -1,
            -1,
            z,
            1,
            1,
            z,
            -1,
            1,
            z,
          ]).flat(),
        ),
      );
    const yieldsFor = async (count: number) => {
      const scene = nf.scene();
      const body = scene.add(stack(count));
      const ray = Float64Array.of(0, 0, -1, 0, 0, 1);
      await scene.rays(body, ray, { hits });
      const yields = await counting(() => scene.rays(body, ray, { hits }));
      scene.close();
      return yields;
    };
    // Each of them is decided in exact arithmetic, which takes some microseconds.
    expect((await yieldsFor(4000)) - (await yieldsFor(1000))).toBeGreaterThanOrEqual((2 * 3000) / 512);
  });

  it('closest can be cancelled meanwhile, and shows its progress', async () => {
    const scene = nf.scene();
    const body = scene.add(equallyFar());
    const controller = new AbortController();
    const reason = new Error('enough');
    const shown: number[] = [];
    const progress = (done: number) => {
      shown.push(done);
      if (done > 0.95) controller.abort(reason);
    };
    await counting(async () => {
      const asked = scene.closest(body, new Float64Array(300), { signal: controller.signal, progress });
      await expect(asked).rejects.toBe(reason);
    });
    expect(shown.every((done, i) => done >= (shown[i - 1] ?? 0) && done < 1)).toBe(true);
    scene.close();
  });
});
