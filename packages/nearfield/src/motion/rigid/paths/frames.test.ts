// Corners placed by frames against the stated paths in integers of 2^-400: rotations by series, unit vectors by integer roots.
// Wherever the bodies stand, no corner is off by more than the slack.

import { afterAll, expect, test } from 'vitest';
import { randomFrom } from '../../../../../../test/oracle/triangles/generators.ts';
import { multiplyPoses, open, shapes } from '../../../index.ts';
import { applyPose } from '../../../math/pose.ts';
import { coreOf } from '../../../questions/bare-scene.ts';
import { checkMotion } from '../../check-motion.ts';
import { PairMotion } from '../pair.ts';
import { placingByFrames } from '../placing.ts';
import { pathsOf } from './all-paths.ts';
import { linearOf, quotient3, turnOf } from './turn.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const bits = 400n;
const unit = 1n << bits;
type Big = [bigint, bigint, bigint];
type Matrix = [Big, Big, Big];

/** A double in units of 2^-400: exact from 2^-340 on. */
function big(x: number): bigint {
  let [scaled, shift] = [x, 0n];
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    shift++;
  }
  return (BigInt(scaled) << bits) >> shift;
}
const times = (a: bigint, b: bigint): bigint => (a * b) / unit;
const dot = (a: Big, b: Big): bigint => times(a[0], b[0]) + times(a[1], b[1]) + times(a[2], b[2]);
const apply = (m: Matrix, v: Big): Big => [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
const add = (a: Big, b: Big): Big => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const less = (a: Big, b: Big): Big => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (s: bigint, v: Big): Big => [times(s, v[0]), times(s, v[1]), times(s, v[2])];
const vector = (v: ArrayLike<number>, at = 0): Big => [big(v[at]), big(v[at + 1]), big(v[at + 2])];

function root(n: bigint): bigint {
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}

function series(angle: bigint): [cosine: bigint, sine: bigint] {
  let [cosine, sine, term] = [0n, 0n, unit];
  for (let k = 0n; term !== 0n || k < 8n; k++) {
    const sign = (k & 2n) === 0n ? 1n : -1n;
    if ((k & 1n) === 0n) cosine += sign * term;
    else sine += sign * term;
    term = times(term, angle) / (k + 1n);
  }
  return [cosine, sine];
}

const direction = (axis: ArrayLike<number>): Big => {
  const v = vector(axis);
  const length = root(dot(v, v) * unit);
  return v.map(x => (x * unit) / length) as Big;
};

/** The rotation about a direction, applied to a vector. */
function rotate(u: Big, angle: bigint, v: Big): Big {
  const [c, s] = series(angle);
  const across: Big = [
    times(u[1], v[2]) - times(u[2], v[1]),
    times(u[2], v[0]) - times(u[0], v[2]),
    times(u[0], v[1]) - times(u[1], v[0]),
  ];
  return add(add(scale(c, v), scale(s, across)), scale(times(unit - c, dot(u, v)), u));
}

const worldOf = (pose: Float64Array, q: ArrayLike<number>): Big => {
  const out = new Float64Array(3);
  applyPose(pose, q[0], q[1], q[2], out, 0);
  return vector(out);
};

type PathOf = (t: bigint, q: Float64Array) => Big;

test.each([1, 1e3, 1e6, 1e9, 1e12])(
  'corners of turns, screws and joints %d sizes from the origin',
  distance => {
    const seed = 11;
    const random = randomFrom(seed);
    const number = (size: number): number => (2 * random() - 1) * size;
    for (let round = 0; round < 12; round++) {
      const scene = nf.scene();
      const turn = (): Float64Array => {
        const [x, y, z, w] = [number(1), number(1), number(1), number(1)];
        const n = Math.hypot(x, y, z, w);
        const [a, b, c, d] = [x / n, y / n, z / n, w / n];
        return Float64Array.of(
          ...[1 - 2 * (b * b + c * c), 2 * (a * b + c * d), 2 * (a * c - b * d), 0],
          ...[2 * (a * b - c * d), 1 - 2 * (a * a + c * c), 2 * (b * c + a * d), 0],
          ...[2 * (a * c + b * d), 2 * (b * c - a * d), 1 - 2 * (a * a + b * b), 0],
          ...[number(distance), number(distance), number(distance), 1],
        );
      };
      const near = (pose: Float64Array): Float64Array => {
        const next = turn();
        for (let i = 12; i < 15; i++) next[i] = pose[i] + number(3);
        return next;
      };
      const from = turn();
      const to = round % 3 === 0 ? turn() : near(from);
      const path = round % 2 === 0 ? 'turn' : 'screw';
      const a = scene.add(shapes.box({ size: [2, 1, 0.5] }), { pose: from });
      // The second body: three joints, an arm as long as the distance.
      const joint = (kind: 'turn' | 'slide', size: number) => ({
        ...{ origin: turn(), kind, axis: [number(1), number(1), number(1)] as [number, number, number] },
        ...{ from: number(size), to: number(size) },
      });
      const joints = [joint('turn', 3), joint('slide', 5), joint('turn', 3)];
      const local = near(new Float64Array(16));
      const motionAt = ({ kind, axis, from: value }: (typeof joints)[0]): Float64Array => {
        const u = axis.map(x => x / Math.hypot(...axis));
        if (kind === 'slide')
          return Float64Array.of(
            1,
            0,
            0,
            0,
            0,
            1,
            0,
            0,
            0,
            0,
            1,
            0,
            u[0] * value,
            u[1] * value,
            u[2] * value,
            1,
          );
        const [c, s] = [Math.cos(value), Math.sin(value)];
        const columns = [0, 1, 2].map(j => {
          const column = u.map((x, i) => (1 - c) * x * u[j] + (i === j ? c : 0));
          column[(j + 1) % 3] += s * u[(j + 2) % 3];
          column[(j + 2) % 3] -= s * u[(j + 1) % 3];
          return [...column, 0];
        });
        return Float64Array.of(...columns.flat(), 0, 0, 0, 1);
      };
      let product = local;
      for (const step of [...joints].reverse())
        product = multiplyPoses(step.origin, multiplyPoses(motionAt(step), product));
      const b = scene.add(shapes.icosphere({ frequency: 1 }), { pose: product });
      const core = coreOf(scene);
      const ends = checkMotion('test', core, {
        bodies: [
          { body: a, to, path },
          { body: b, joints, local },
        ],
      });
      const question = core.questionAboutAll();
      const paths = pathsOf(question, ends, 'test');
      const bodies = [question.readableAt(0), question.readableAt(1)];
      const pair = new PairMotion(core.cpu, bodies[0], bodies[1], paths[0], paths[1]);
      const frames = paths.map(one => one.frames(1)!);
      const placing = placingByFrames(bodies[0], bodies[1], frames[0], frames[1], pair.size);

      const centre = [0, 1, 2].map(i => 0.5 * (bodies[0].mesh.bounds[i] + bodies[0].mesh.bounds[i + 3]));
      const { axis, angle } = turnOf(quotient3(linearOf(to), linearOf(from)));
      const u = direction(axis);
      const [c0, c1] = [worldOf(from, centre), worldOf(to, centre)];
      const way = less(c1, c0);
      const along = dot(way, u);
      const d = less(way, scale(along, u));
      const placed: PathOf = (t, q) => {
        const angleAt = times(t, big(angle));
        const c =
          path === 'turn'
            ? add(c0, scale(t, way))
            : add(
                add(c0, scale(times(t, along), u)),
                scale(
                  (series(angleAt / 2n)[1] * unit) / series(big(angle) / 2n)[1],
                  rotate(u, times(t - unit, big(angle)) / 2n, d),
                ),
              );
        return add(c, rotate(u, angleAt, less(worldOf(from, q), c0)));
      };
      const turning: PathOf = (t, q) => add(placed(t, q), scale(t, less(worldOf(to, q), placed(unit, q))));

      const matrixOf = (pose: Float64Array): Matrix =>
        [0, 1, 2].map(i => [big(pose[i]), big(pose[4 + i]), big(pose[8 + i])]) as Matrix;
      const chain: PathOf = (t, q) => {
        let x = add(apply(matrixOf(local), vector(q)), vector(local, 12));
        for (const { origin, kind, axis: given, from: low, to: high } of [...joints].reverse()) {
          const value = big(low) + times(t, big(high) - big(low));
          const about = direction(given);
          x = kind === 'slide' ? add(x, scale(value, about)) : rotate(about, value, x);
          x = add(apply(matrixOf(origin), x), vector(origin, 12));
        }
        return x;
      };
      const end = new Float64Array(16);
      paths[1].poseAt(1, end);
      const jointed: PathOf = (t, q) =>
        add(
          chain(t, q),
          add(
            scale(unit - t, less(worldOf(product, q), chain(0n, q))),
            scale(t, less(worldOf(end, q), chain(unit, q))),
          ),
        );

      for (const time of [0, 0.25, random(), 1]) {
        const corners = new Float64Array(18);
        const [i, j] = [Math.floor(random() * 12), Math.floor(random() * 20)];
        placing.place(time, i, j, corners);
        const true6 = [0, 1, 2, 3, 4, 5].map(k => {
          const body = bodies[k < 3 ? 0 : 1];
          const vertex = body.mesh.indices[3 * (k < 3 ? i : j) + (k % 3)];
          const q = Float64Array.from(body.positions.subarray(3 * vertex, 3 * vertex + 3));
          return (k < 3 ? turning : jointed)(big(time), q);
        });
        // Relative to the first corner: the origin of the placing does not matter.
        for (let k = 1; k < 6; k++) {
          const found = less(vector(corners, 3 * k), vector(corners, 0));
          const truth = less(true6[k], true6[0]);
          const off = Math.hypot(...less(found, truth).map(x => Number(x >> 300n) * 2 ** -100));
          const apart = Math.hypot(...truth.map(x => Number(x >> 300n) * 2 ** -100));
          expect(off, `seed ${seed}, round ${round}, time ${time}, corner ${k}`).toBeLessThanOrEqual(
            placing.slack + 2 ** -50 * apart,
          );
        }
      }
      scene.close();
    }
  },
);
