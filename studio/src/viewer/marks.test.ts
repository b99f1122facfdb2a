import type { InstancedMesh, Mesh, MeshBasicMaterial } from 'three/webgpu';
import { beforeEach, expect, test } from 'vitest';
import { Marks } from './marks.ts';

const corners = () => Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
const places = (count: number, from = 0) => Float32Array.from({ length: 3 * count }, (_, i) => from + i);
const red = { colour: '#ff0000' };
const blue = { colour: '#0000ff' };

let marks: Marks;
beforeEach(() => {
  marks = new Marks(() => {});
});

const shown = () => marks.group.children as Mesh[];

/** In the order in which three.js draws objects at one place: by renderOrder, then by id. */
function drawn(): string[] {
  const order = [...shown()].sort((a, b) => a.renderOrder - b.renderOrder || a.id - b.id);
  return order.map(mark => {
    const kind = 'isInstancedMesh' in mark ? 'points' : 'isLineSegments' in mark ? 'lines' : 'triangles';
    const { color, depthTest } = mark.material as MeshBasicMaterial;
    return `${kind} #${color.getHexString()}${depthTest ? '' : ' through'}`;
  });
}

// Objects kept from earlier steps have lower ids.
test('draws marks in the order of the step, whatever was shown before', () => {
  const through = true;
  marks.lines(corners(), blue);
  marks.triangles(corners(), { ...red, through });
  marks.points(places(2), red);
  expect(drawn()).toEqual(['lines #0000ff through', 'triangles #ff0000 through', 'points #ff0000 through']);
  marks.clear();
  expect(shown()).toEqual([]);
  marks.triangles(corners(), { ...red, through });
  marks.triangles(corners(), red);
  marks.points(places(2), red);
  marks.arrows(places(1), places(1), blue);
  expect(drawn()).toEqual([
    'triangles #ff0000 through',
    'triangles #ff0000',
    'points #ff0000 through',
    'lines #0000ff through',
  ]);
});

test('reused points have the number, size and places of the step', () => {
  for (const [count, size] of [
    [5, 1],
    [3, 2],
    [100, 0.5],
    [1, 4],
  ] as const) {
    marks.clear();
    marks.points(places(count, size), { ...red, size });
    const [many] = shown() as InstancedMesh[];
    expect(shown().length).toBe(1);
    expect(many.count).toBe(count);
    for (let i = 0; i < count; i++) {
      const [x, y, z] = places(count, size).subarray(3 * i);
      const matrix = [size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, x, y, z, 1];
      expect([...many.instanceMatrix.array.subarray(16 * i, 16 * i + 16)]).toEqual(matrix);
    }
  }
});

test('disposes of old marks, but not of visible ones', () => {
  const gone = new Set<unknown>();
  const made = new Set<unknown>();
  for (let step = 0; step < 4; step++) {
    marks.clear();
    expect([...made].filter(geometry => !gone.has(geometry))).toEqual([]);
    marks.triangles(corners(), red);
    marks.lines(corners(), blue);
    marks.points(places(2 ** step), red);
    for (const { geometry } of shown()) {
      expect(gone.has(geometry)).toBe(false);
      geometry.addEventListener('dispose', () => gone.add(geometry));
    }
    for (const mark of shown()) if (!('isInstancedMesh' in mark)) made.add(mark.geometry);
  }
  expect(made.size).toBe(8);
});

test('empty input makes no marks', () => {
  const none = new Float32Array();
  marks.triangles(none, red);
  marks.lines(none, red);
  marks.arrows(none, none, red);
  marks.points(none, red);
  expect(shown()).toEqual([]);
});
