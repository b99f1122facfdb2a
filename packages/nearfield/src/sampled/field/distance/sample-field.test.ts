// Compares distance fields with measuring every triangle, analytic shapes, and solid angles summed over all triangles.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import { toEnd } from '../../../core/waiting.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { windingNumber } from '../../../inside/winding.ts';
import { type Mesh, mesh } from '../../../mesh/mesh.ts';
import { box, createRandom, icosphere, torus } from '../../../shapes/index.ts';
import { DistanceField, noOwner } from '../field.ts';
import { place } from '../testing/bodies.ts';
import { nearestByHand } from '../testing/nearest.ts';
import { type FieldOptions, fieldTask, sampleField } from './sample-field.ts';

const slow = process.env.NEARFIELD_SLOW === '1';
let engine: CpuEngine;
beforeAll(async () => {
  engine = await createCpuEngine();
});
afterAll(() => engine.close());

function fieldOf(body: Placed, options: FieldOptions): DistanceField {
  const task = fieldTask(body, options);
  const slab = { first: 0, end: task.grid.dimensions[2] };
  const raw = toEnd(sampleField(engine, body, task, slab));
  const { mesh: own, positions, revision } = body.shape;
  return new DistanceField(raw, { ...body, mesh: own, positions, revision }, task.signed, 'cpu');
}

/** The least distance over all triangles, and the triangles within rounding of it. */
function byHand(body: Placed, point: ArrayLike<number>): { distance: number; owners: number[] } {
  const corners = new Float64Array(9);
  const all = Array.from({ length: body.shape.mesh.triangleCount }, (_, t) => {
    placeCorners(body, t, corners, 0);
    return nearestByHand(point, corners).distance;
  });
  const distance = Math.min(...all);
  return { distance, owners: all.flatMap((d, t) => (d <= distance * (1 + 1e-12) ? [t] : [])) };
}

/** Solid angles of all triangles over 4π. */
function windingByHand(body: Placed, [x, y, z]: readonly number[]): number {
  const c = new Float64Array(9);
  let sum = 0;
  for (let t = 0; t < body.shape.mesh.triangleCount; t++) {
    placeCorners(body, t, c, 0);
    const [u, v, w] = [0, 3, 6].map(at => [c[at] - x, c[at + 1] - y, c[at + 2] - z]);
    const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const [lu, lv, lw] = [u, v, w].map(a => Math.hypot(...a));
    const volume =
      u[0] * (v[1] * w[2] - v[2] * w[1]) +
      u[1] * (v[2] * w[0] - v[0] * w[2]) +
      u[2] * (v[0] * w[1] - v[1] * w[0]);
    sum += 2 * Math.atan2(volume, lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv);
  }
  return sum / (4 * Math.PI);
}

describe('distance field', () => {
  it('has the distance, owner and sign that every triangle gives', () => {
    for (let seed = 1; seed <= (slow ? 60 : 3); seed++) {
      const random = createRandom(seed);
      const linear = Array.from({ length: 9 }, () => random.between(-1, 1));
      const shape = seed % 2 ? torus({ majorSegments: 12, minorSegments: 7 }) : icosphere({ frequency: 3 });
      const body = place(shape, 3, -2, 1, linear);
      const field = fieldOf(body, { resolution: 9 });
      for (let sample = 0; sample < field.distance.length; sample++) {
        const point = field.position(sample);
        const { distance, owners } = byHand(body, point);
        const where = `seed ${seed}, sample ${sample}`;
        expect(Math.abs(Math.abs(field.distance[sample]) - distance), where).toBeLessThanOrEqual(
          2 ** -23 * distance,
        );
        expect(owners, where).toContain(field.owner[sample]);
        expect(field.distance[sample] < 0, where).toBe(
          windingNumber(finderOf(engine), body, point).winding !== 0,
        );
      }
    }
  });

  it('knows which feature is nearest', () => {
    const field = fieldOf(place(box({ size: [2, 2, 2] })), { box: [-3, -3, -3, 3, 3, 3], resolution: 3 });
    // Samples at −2, 0 and 2 along each axis: the number of nonzero coordinates says which feature is nearest.
    for (let sample = 0; sample < 27; sample++) {
      const off = field.position(sample).filter(x => x !== 0).length;
      const kind = field.feature[sample] === 0 ? 1 : field.feature[sample] < 4 ? 2 : 3;
      if (off > 1) expect(kind, `sample ${sample}`).toBe(off);
      expect(field.distance[sample], `sample ${sample}`).toBe(off === 0 ? -1 : Math.fround(Math.sqrt(off)));
    }
  });

  it('stops at upTo', () => {
    const field = fieldOf(place(icosphere({ radius: 1 })), { upTo: 0.3, resolution: 20 });
    let beyond = 0;
    field.distance.forEach((distance, sample) => {
      const from = Math.hypot(...field.position(sample));
      if (Math.abs(from - 1) > 0.32) {
        expect(distance).toBe(from < 1 ? -Infinity : Infinity);
        expect(field.owner[sample]).toBe(noOwner);
        beyond++;
      } else if (Math.abs(from - 1) < 0.28) expect(Math.abs(distance)).toBeLessThan(0.3);
    });
    expect(beyond).toBeGreaterThan(0);
  });

  it('puts the sampled interior within half a diagonal of the sphere', () => {
    const field = fieldOf(place(icosphere({ frequency: 24 })), { tolerance: 0.1 });
    expect(field.tolerance).toBeCloseTo(0.1, 12);
    let inside = 0;
    for (const distance of field.distance) if (distance < 0) inside++;
    const volume = inside * field.grid.cell ** 3;
    const radius = Math.cbrt((3 * volume) / (4 * Math.PI));
    expect(Math.abs(radius - 1)).toBeLessThan(field.tolerance);
  });

  it('has a gradient in three forms', () => {
    const field = fieldOf(place(icosphere({ frequency: 16 })), {
      box: [0.3, 0.3, 0.3, 2.2, 2.2, 2.2],
      resolution: 12,
    });
    for (const form of ['central', 'one-sided', 'direct'] as const) {
      const gradient = field.gradient(form);
      for (let sample = 0; sample < field.distance.length; sample++) {
        const position = field.position(sample);
        const along = position.reduce((sum, x, axis) => sum + x * gradient[3 * sample + axis], 0);
        // Differences over a cell of 0.16 turn with the sphere, most of all at the border, where they are one-sided.
        const close = form === 'direct' ? 0.01 : 0.2;
        if (form === 'direct' && Math.abs(field.distance[sample]) < 0.02) continue;
        expect(Math.abs(along / Math.hypot(...position) - 1), `${form}, sample ${sample}`).toBeLessThan(
          close,
        );
      }
    }
    expect(() => field.gradient('sideways' as 'direct')).toThrow('gradient');
  });

  it('takes the one-sided difference if the central one reaches across a crease', () => {
    // Between two parallel plates the field has a crease: central differences vanish there.
    const plates = joinedPlates();
    const field = fieldOf(place(plates), { box: [-1, -1, -1, 1, 1, 1], resolution: 5, signed: false });
    const middle = 2 + 5 * (2 + 5 * 2);
    expect(field.gradient('central')[3 * middle + 2]).toBeCloseTo(0, 6);
    expect(Math.abs(field.gradient('one-sided')[3 * middle + 2])).toBeCloseTo(1, 6);
  });

  function joinedPlates(): Mesh {
    const positions = [-1, 1].flatMap(z => [-9, -9, z, 9, -9, z, 9, 9, z, -9, 9, z]);
    const indices = [0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7];
    return mesh(Float64Array.from(positions), Uint32Array.from(indices));
  }
});

describe('surfaces that are not closed', () => {
  it('have the sign of the solid angle of all triangles', () => {
    for (let seed = 1; seed <= (slow ? 40 : 3); seed++) {
      const random = createRandom(100 + seed);
      const whole = seed % 2 ? icosphere({ frequency: 3 }) : torus({ majorSegments: 14, minorSegments: 8 });
      // Some triangles are left out; in every third mesh one is turned over.
      const kept = Array.from(whole.indices).filter((_, i) => (Math.floor(i / 3) * 7 + seed) % 11 !== 0);
      if (seed % 3 === 0) [kept[0], kept[1]] = [kept[1], kept[0]];
      const body = place(mesh(whole.positions, Uint32Array.from(kept)), random.next(), 0, 0);
      expect(body.shape.mesh.solid).toBe(false);
      const field = fieldOf(body, { resolution: 11 });
      const unsure = new Set(field.unsure);
      for (let sample = 0; sample < field.distance.length; sample++) {
        const winding = Math.abs(windingByHand(body, field.position(sample)));
        const where = `seed ${seed}, sample ${sample}, winding ${winding}`;
        expect(field.distance[sample] < 0, where).toBe(winding >= 0.5);
        expect(unsure.has(sample), where).toBe(Math.abs(winding - 0.5) < 0.1);
      }
    }
  });

  it('have no jump above a boundary edge that lies on samples', () => {
    // A cube without its lid: edges of the opening lie on columns of samples.
    const cube = box({ size: [4, 4, 4] });
    const top = (corner: number) => cube.positions[3 * corner + 2] === 2;
    const kept = Array.from({ length: 12 }, (_, t) => Array.from(cube.indices.slice(3 * t, 3 * t + 3)));
    const open = mesh(cube.positions, Uint32Array.from(kept.filter(t => !t.every(top)).flat()));
    const body = place(open);
    const field = fieldOf(body, { box: [-3.5, -3.5, -3.5, 3.5, 3.5, 4.5], resolution: 8 });
    const moved = (point: readonly number[]) => point.map((x, axis) => x + 2 ** -(16 + 8 * axis));
    for (let sample = 0; sample < field.distance.length; sample++) {
      const winding = windingByHand(body, moved(field.position(sample)));
      if (Math.abs(winding - 0.5) < 0.01) continue;
      expect(field.distance[sample] < 0 || Object.is(field.distance[sample], -0), `sample ${sample}`).toBe(
        winding >= 0.5,
      );
    }
  });
});

describe('options of a field', () => {
  it.each([
    [{ upTo: 0 }, 'upTo'],
    [{ upTo: Number.NaN }, 'upTo'],
    [{ form: 'guess' as 'tree' }, 'form'],
    [{ tolerance: 1, resolution: 2 }, 'not both'],
    [{ box: [0, 0, 0, Number.NaN, 1, 1] }, 'box'],
  ])('refuses %j', (options, word) => {
    expect(() => fieldOf(place(box({})), options)).toThrow(word);
  });
});
