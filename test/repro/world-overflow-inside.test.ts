// A body whose world positions are beyond doubles is refused, not answered for, also where all its triangles are looked at in
// place of a tree.

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

  it('refuses one that is too large by what rounding may add, and answers for one a little smaller', () => {
    const scene = nf.scene();
    const body = scene.add(box, { pose: scaled(Number.MAX_VALUE / 1e10) });
    expect(() => scene.insideSync(body, middle)).toThrowError(/do not fit in doubles/);
    body.pose = scaled((Number.MAX_VALUE / 1e10) * (1 - 2 ** -20));
    expect([...scene.insideSync(body, middle)]).toEqual([1]);
    scene.close();
  });

  it('answers for one that has been deformed to fit', () => {
    const scene = nf.scene();
    const body = scene.add(box, { pose: scaled(1e300) });
    body.deform(box.positions.map(x => x / 1e10));
    expect([...scene.insideSync(body, middle)]).toEqual([1]);
    scene.close();
  });
});
