import { mesh, open, shapes } from 'nearfield';
import { expect, test } from 'vitest';

const nf = await open({ backend: 'cpu', threads: 1 });
const scaled = (size: number) => [size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, 0, 0, 0, 1];

// Boxes are compared in the frames of both bodies. The squares of limits in one frame overflowed single precision, or their
// ratio did, and pairs of boxes that were near enough got infinite bounds: the search then left them out.
test('a body of any size is as far from the ring around it as its middle', () => {
  const ring = shapes.torus({ majorRadius: 1, minorRadius: 0.75, majorSegments: 24, minorSegments: 12 });
  const ball = shapes.icosphere({ frequency: 1 });
  const middle = nf.scene();
  const point = middle.add(mesh(new Float64Array(9), Uint32Array.of(0, 1, 2)));
  const expected = middle.distanceSync(point, middle.add(ring)).distance;
  for (let power = 40; power <= 100; power += 3)
    for (const ballFirst of [true, false]) {
      const scene = nf.scene();
      const bodies = ballFirst ? [ball, ring] : [ring, ball];
      const [a, b] = bodies.map(each => scene.add(each, { pose: scaled(each === ball ? 2 ** -power : 1) }));
      const found = scene.distanceSync(a, b);
      expect(Math.abs(found.distance - expected), `2^-${power}`).toBeLessThan(2 ** -39);
      const within = Array.from(scene.withinSync(0.3), pair => pair.distance);
      expect(within, `2^-${power}`).toEqual([found.distance]);
    }
});

test('the distance of two bodies does not depend on the clearance', () => {
  const box = shapes.box();
  const ball = shapes.icosphere({ frequency: 2 });
  const scene = nf.scene();
  const a = scene.add(box);
  const b = scene.add(ball);
  for (let turn = 1; turn < 8; turn++) {
    const [x, y] = [turn * Math.cos(turn), turn * Math.sin(turn)];
    b.pose = [x, y, 0, 0, -y, x, 0, 0, 0, 0, turn, 0, 1, 2, -2 * turn - 2, 1];
    const found = scene.distanceSync(a, b);
    expect(found.distance).toBeGreaterThan(0);
    for (let power = 8; power < 1024; power += power > 55 && power < 75 ? 0.25 : 16) {
      const [pair] = scene.withinSync(2 ** power);
      expect(pair.distance, `${turn}, 2^${power}`).toBe(found.distance);
      expect([pair.triangleA, pair.triangleB], `${turn}, 2^${power}`).toEqual([
        found.triangleA,
        found.triangleB,
      ]);
    }
  }
});
