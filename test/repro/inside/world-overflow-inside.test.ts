// A body whose world positions overflow doubles is refused, even if all its triangles are tested without a tree.

import { open, shapes } from 'nearfield';
import { afterAll, describe, expect, it } from 'vitest';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const scaled = (scale: number) => [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1];
const box = shapes.box({ size: [2e10, 2e10, 2e10] });
const middle = new Float64Array(3);

describe('inside, of bodies too large for doubles', () => {
  it('refuses them', () => {
    const scene = nf.scene();
    const body = scene.add(box, { pose: scaled(1e300) });
    expect(() => scene.insideSync(body, middle)).toThrowError(/do not fit in doubles/);
    scene.close();
  });

  it('refuses a body too large by possible rounding, and answers for a slightly smaller one', () => {
    const scene = nf.scene();
    const body = scene.add(box, { pose: scaled(Number.MAX_VALUE / 1e10) });
    expect(() => scene.insideSync(body, middle)).toThrowError(/do not fit in doubles/);
    body.pose = scaled((Number.MAX_VALUE / 1e10) * (1 - 2 ** -20));
    expect([...scene.insideSync(body, middle)]).toEqual([1]);
    scene.close();
  });

  it('answers for a body that has been deformed to fit', () => {
    const scene = nf.scene();
    const body = scene.add(box, { pose: scaled(1e300) });
    body.deform(box.positions.map(x => x / 1e10));
    expect([...scene.insideSync(body, middle)]).toEqual([1]);
    scene.close();
  });
});
