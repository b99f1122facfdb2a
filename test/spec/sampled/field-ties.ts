// Owners and features of fields where several triangles are equally near, and distances near the surface, against
// exact fractions over all triangles. Every backend and every form runs it.

import { type FieldOptions, type Mesh, type Nearfield, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extremeSolid, moderate } from '../../oracle/extremes.ts';
import { nearestOnTriangle, worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { randomFrom } from '../../oracle/triangles/generators.ts';
import { exactNearest, isRightTo } from '../proximity/closest-slivers.ts';
import { translation } from '../scenes.ts';

export interface TiesSize {
  readonly resolution: number;
  /** Extreme solids, besides the named shapes. */
  readonly solids: number;
  readonly solidResolution: number;
  /**
   * How far distances may be off, relative to the distance from the sample to the owner's farthest corner, and to the
   * longest side of everything.
   */
  readonly off: readonly [number, number];
}

const pose = translation(0, 0, 0);

export function fieldTiesSpec(
  open: () => Promise<Nearfield>,
  shapeStates: FieldOptions[],
  size: TiesSize,
): void {
  describe('field owners at ties', { timeout: 1_000_000 }, () => {
    let nearfield: Nearfield;
    beforeAll(async () => {
      nearfield = await open();
    });
    afterAll(() => nearfield.close());

    /**
     * Well-shaped triangles are first compared in double: the exact test is for those within a millionth of the
     * smallest.
     */
    const nearest = (corners: Float64Array, point: readonly [number, number, number], fat: boolean) => {
      if (!fat) return exactNearest(corners, point);
      const found = [0, 0, 0];
      const rough = Array.from({ length: corners.length / 9 }, (_, t) => {
        nearestOnTriangle(corners.subarray(9 * t, 9 * t + 9), ...point, found);
        return Math.hypot(found[0] - point[0], found[1] - point[1], found[2] - point[2]);
      });
      const least = Math.min(...rough) + 1e-6;
      const near = rough.flatMap((distance, t) => (distance <= least ? [t] : []));
      const { squared, triangle } = exactNearest(
        Float64Array.from(near.flatMap(t => [...corners.subarray(9 * t, 9 * t + 9)])),
        point,
      );
      return { squared, triangle: near[triangle] };
    };

    const check = async (mesh: Mesh, options: FieldOptions, fat: boolean, message: string) => {
      const scene = nearfield.scene();
      const body = scene.add(mesh);
      const field = await scene.field(body, options);
      expect(field.backend, message).toBe(nearfield.backend);
      const corners = worldCorners({ mesh, pose });
      const { dimensions, cell, origin } = field.grid;
      const longest = Math.max(...dimensions) * cell + Math.max(...corners.map(x => Math.abs(x - origin[0])));
      for (let sample = 0; sample < field.distance.length; sample++) {
        const point = field.position(sample);
        const { squared, triangle } = nearest(corners, point, fat);
        const where = `${message}, sample ${sample} at ${point}`;
        expect(field.owner[sample], where).toBe(triangle);
        const distance = Math.abs(field.distance[sample]);
        if (isRightTo(distance, squared, 23)) continue;
        const own = corners.subarray(9 * triangle, 9 * triangle + 9);
        const reach = Math.max(...own.map((x, i) => Math.abs(x - point[i % 3])));
        const exact = Math.sqrt(Number(squared.numerator) / Number(squared.denominator));
        const off = size.off[0] * reach + size.off[1] * longest;
        expect(Math.abs(distance - exact), where).toBeLessThanOrEqual(off + 2 ** -23 * exact);
      }
      // As other questions have it.
      const points = Float64Array.from({ length: 3 * 40 }, (_, i) => {
        const sample = Math.floor(((i - (i % 3)) / 120) * field.distance.length);
        return field.position(sample)[i % 3];
      });
      const closest = await scene.closest(body, points);
      for (let i = 0; i < 40; i++) {
        const sample = Math.floor((i / 40) * field.distance.length);
        expect(closest.triangles[i], message).toBe(field.owner[sample]);
        const feature = field.feature[sample];
        expect(feature === 0 ? 0 : feature < 4 ? 1 : 2, `${message}, sample ${sample}`).toBe(
          closest.features[i],
        );
      }
      scene.close();
    };

    const shapesOfTies: readonly (readonly [string, Mesh])[] = [
      ['torus knot', shapes.torusKnot({ tubeRadius: 0.4, segments: 30, sides: 6 })],
      ['box', shapes.box({ size: [2, 1, 1] })],
      ['octahedron', shapes.icosphere({ frequency: 1 })],
    ];
    for (const form of shapeStates) {
      for (const [name, mesh] of shapesOfTies) {
        it(`for a ${name}, form ${form.form ?? 'auto'}`, async () => {
          await check(mesh, { ...form, resolution: size.resolution }, true, name);
        });
      }

      it(`for slivers, form ${form.form ?? 'auto'}`, async () => {
        for (let seed = 1; seed <= size.solids; seed++) {
          const { kind, mesh } = extremeSolid(randomFrom(seed), moderate);
          const longest = Math.max(...boxSides(mesh));
          // The box of a sliver does not suit a grid of cubes, so a cube around its first vertex is used.
          const [x, y, z] = mesh.positions;
          const half = longest / 4;
          const box = [x - half, y - half, z - half, x + half, y + half, z + half];
          await check(
            mesh,
            { ...form, box, resolution: size.solidResolution },
            false,
            `seed ${seed}: ${kind}`,
          );
        }
      });
    }
  });
}

function boxSides({ positions }: Mesh): number[] {
  return [0, 1, 2].map(axis => {
    const along = positions.filter((_, i) => i % 3 === axis);
    return Math.max(...along) - Math.min(...along);
  });
}
