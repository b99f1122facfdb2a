// Trees of boxes along paths: no box that a path meets is left out, and few others are visited.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failures } from '../../../../../../test/oracle/failures.ts';
import { type Nearfield, open } from '../../../nearfield.ts';
import { createRandom } from '../../../shapes/random.ts';
import { LifeCursor } from '../../lives/life.ts';
import { placeOn } from '../../motion/segment.ts';
import { impactNumbers, impactRow } from '../../seam.ts';
import { compileSetup } from '../../setup.ts';
import type { Collider } from '../shapes.ts';
import { buildTree, PathWalk } from './cull.ts';

let nf: Nearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

describe('buildTree', () => {
  it('holds every box once, within all nodes above it', () => {
    const random = createRandom(1);
    const failures = new Failures();
    for (const count of [0, 1, 2, 3, 7, 64, 65, 500]) {
      const boxes = new Float64Array(6 * count);
      for (let i = 0; i < count; i++) {
        for (let axis = 0; axis < 3; axis++) {
          const at = i % 5 === 0 ? 1 : random.between(-10, 10);
          boxes[6 * i + axis] = at;
          boxes[6 * i + axis + 3] = at + random.between(0, 1);
        }
      }
      const { leafCount, nodes, items } = buildTree(boxes);
      const seen = [...items].filter(item => item !== 0xffffffff).sort((a, b) => a - b);
      expect(seen).toEqual(Array.from({ length: count }, (_, i) => i));
      items.forEach((item, leaf) => {
        if (item === 0xffffffff) return;
        for (let node = leaf + leafCount; node >= 1; node >>= 1) {
          for (let axis = 0; axis < 3; axis++) {
            failures.check(
              nodes[6 * node + axis] <= boxes[6 * item + axis] &&
                nodes[6 * node + axis + 3] >= boxes[6 * item + axis + 3],
              () => `seed 1, ${count} boxes: box ${item} in node ${node} along axis ${axis}`,
            );
          }
        }
      });
    }
    expect(failures.list).toEqual([]);
  });
});

describe('PathWalk', () => {
  it('leaves out no box that a path meets, and visits none too late', () => {
    const random = createRandom(2);
    const count = 200;
    const boxes = new Float64Array(6 * count);
    for (let i = 0; i < boxes.length; i++) {
      const axis = i % 6;
      boxes[i] = axis < 3 ? random.between(-5, 5) : boxes[i - 3] + random.between(0.01, 0.6);
    }
    const tree = buildTree(boxes);
    const walk = new PathWalk();
    const path = new Float64Array(9);
    const place = new Float64Array(3);
    for (let i = 0; i < 300; i++) {
      for (let k = 0; k < 9; k++) path[k] = random.between(-6, 6) * (k > 5 && i % 3 === 0 ? 0 : 1);
      const end = random.between(0.1, 3);
      const best = i % 2 === 0 ? Infinity : random.between(0, end);
      const given = new Set<number>();
      walk.begin(tree, path, end);
      for (let item = walk.next(best); item >= 0; item = walk.next(best)) given.add(item);
      for (let k = 0; k <= 500; k++) {
        const sigma = (end * k) / 500;
        if (sigma > best) break;
        placeOn(path, sigma, place);
        for (let item = 0; item < count; item++) {
          const isIn = [0, 1, 2].every(
            axis => boxes[6 * item + axis] <= place[axis] && place[axis] <= boxes[6 * item + axis + 3],
          );
          if (isIn) expect(given.has(item), `seed 2/${i}: box ${item} at ${sigma}`).toBe(true);
        }
      }
    }
  });
});

describe('culling', () => {
  const random = createRandom(3);
  const colliders: Collider[] = Array.from({ length: 512 }, (_, i) => {
    const centre = [random.between(-20, 20), random.between(-20, 20), random.between(0, 20)] as const;
    return i % 2 === 0
      ? { sphere: { centre, radius: 0.5 } }
      : { plane: { point: centre, normal: random.direction() }, within: { disc: 0.7 } };
  });
  const options = {
    count: 1000,
    seed: 4,
    acceleration: [0, 0, -9.81],
    start: {
      from: {
        box: [
          [-20, -20, 18],
          [20, 20, 22],
        ],
      },
      velocity: { ball: { centre: [0, 0, -3], radius: 3 } },
      life: 3,
    },
  } as const;

  it('gives the same as trying every collider, and tries few of 512', () => {
    const setup = compileSetup({ ...options, colliders });
    const cursor = new LifeCursor(setup);
    const [all, one] = [new Float64Array(impactNumbers), new Float64Array(impactNumbers)];
    let tried = 0;
    for (let particle = 0; particle < (process.env['NEARFIELD_SLOW'] === '1' ? 1000 : 200); particle++) {
      cursor.begin(particle, 0);
      const before = cursor.tried;
      const isHit = cursor.next(all);
      tried += cursor.tried - before;
      let first: number[] | undefined;
      for (let collider = 0; collider < colliders.length; collider++) {
        cursor.begin(particle, 0);
        if (!cursor.next(one, 0, collider)) continue;
        if (first === undefined || one[impactRow.time] < first[impactRow.time]) first = [...one];
      }
      expect(first, `particle ${particle}`).toEqual(isHit ? [...all] : undefined);
    }
    expect(tried / 200).toBeLessThan(16 * (process.env['NEARFIELD_SLOW'] === '1' ? 5 : 1));
  });
});
