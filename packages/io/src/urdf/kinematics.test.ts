// URDF joints: where they put the links, by values, limits and joints that follow others.

import { applyPose, NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { randomBelow } from '../testing/random.ts';
import { joint, link, readRobot, robot } from '../testing/urdf-samples.ts';
import { jointWarnings, posesOfJoints } from './robot.ts';

/** The place of a point of a body. */
function placed(pose: Float64Array, point: readonly number[]): number[] {
  const out = new Float64Array(3);
  applyPose(pose, point[0], point[1], point[2], out, 0);
  return [...out];
}

/** v turned about a unit axis by a quaternion: another way than the reader's matrices. */
function turned([x, y, z]: readonly number[], axis: readonly number[], angle: number): number[] {
  const [a, b, c] = axis.map(value => value * Math.sin(angle / 2));
  const w = Math.cos(angle / 2);
  const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  return [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
}

describe('kinematics', () => {
  it('turns, slides and follows as quaternions do, over random chains', async () => {
    const seed = Number(process.env.NEARFIELD_SEED ?? 7);
    const next = randomBelow(seed);
    const real = (size: number) => size * (next(2 ** 30) / 2 ** 29 - 1);
    for (let round = 0; round < 30; round++) {
      const steps = Array.from({ length: 1 + next(6) }, (_, i) => ({
        type: ['revolute', 'continuous', 'prismatic', 'fixed'][next(4)],
        xyz: [real(2), real(2), real(2)],
        rpy: [real(3), real(3), real(3)],
        axis: [real(1), real(1), real(1)],
        value: real(3),
        name: `j${i}`,
      }));
      const bytes = robot(
        link('l0'),
        ...steps.map(({ type, xyz, rpy, axis, name }, i) => {
          const origin = `<origin xyz="${xyz.join(' ')}" rpy="${rpy.join('  ')}"/>`;
          return (
            link(`l${i + 1}`) +
            joint(name, type, `l${i}`, `l${i + 1}`, `${origin}<axis xyz="${axis.join(' ')}"/>`)
          );
        }),
      );
      const joints = Object.fromEntries(
        steps.filter(({ type }) => type !== 'fixed').map(({ name, value }) => [name, value]),
      );
      const { bodies, robot: made } = await readRobot(bytes, { joints });
      expect(posesOfJoints(made!, joints)).toEqual(bodies.map(({ pose }) => pose));
      // A point of the last link, taken up the chain.
      const point = [real(1), real(1), real(1)];
      let at = point;
      for (const { type, xyz, rpy, axis, value } of [...steps].reverse()) {
        const unit = axis.map(component => component / Math.hypot(...axis));
        if (type === 'prismatic') at = at.map((component, k) => component + value * unit[k]);
        else if (type !== 'fixed') at = turned(at, unit, value);
        at = turned(at, [1, 0, 0], rpy[0]);
        at = turned(at, [0, 1, 0], rpy[1]);
        at = turned(at, [0, 0, 1], rpy[2]);
        at = at.map((component, k) => component + xyz[k]);
      }
      const found = placed(bodies.at(-1)!.pose!, point);
      for (let k = 0; k < 3; k++) expect(found[k], `seed ${seed}, round ${round}`).toBeCloseTo(at[k], 10);
    }
  });

  const fingers = robot(
    link('hand'),
    link('left'),
    link('right'),
    link('tip'),
    joint('grip', 'prismatic', 'hand', 'left', '<axis xyz="0 2 0"/><limit lower="0" upper="0.04"/>'),
    joint(
      'other',
      'prismatic',
      'hand',
      'right',
      '<axis xyz="0 1 0"/><mimic joint="grip" multiplier="-1" offset="0.5"/>',
    ),
    joint('end', 'prismatic', 'right', 'tip', '<axis xyz="0 1 0"/><mimic joint="other" multiplier="2"/>'),
  );

  it('lets a joint follow another, and that one another', async () => {
    const { robot: made } = await readRobot(fingers);
    const y = posesOfJoints(made!, { grip: 0.03 }).map(pose => pose[13]);
    expect(y[1]).toBeCloseTo(0.03, 15);
    expect(y[2]).toBeCloseTo(0.47, 15);
    expect(y[3]).toBeCloseTo(0.47 + 0.94, 15);
  });

  it('warns of limits, and refuses joints that cannot be set', async () => {
    const { robot: made, warnings } = await readRobot(fingers, { joints: { grip: 0.05 } });
    const text = 'the joint "grip" stands at 0.05, outside of its limits 0 to 0.04';
    expect(warnings).toEqual([`r.urdf: ${text}`]);
    expect(jointWarnings(made!, { grip: 0.05 })).toEqual([text]);
    expect(jointWarnings(made!, {})).toEqual([]);
    for (const [joints, message] of [
      [{ knee: 1 }, '"r" has no joint "knee"; its joints are "grip"'],
      [{ other: 1 }, 'the joint "other" follows "grip": set that one'],
      [{ grip: Number.NaN }, 'the value of the joint "grip" must be a finite number, not NaN'],
      [{ grip: '1' }, 'the value of the joint "grip" must be a finite number, not "1"'],
      [[1], 'joints must be an object from joint names to numbers, not Array'],
    ] as const) {
      expect(() => posesOfJoints(made!, joints as never)).toThrow(`posesOfJoints: ${message}`);
      const failure = await readRobot(fingers, { joints: joints as never }).catch(error => error);
      expect(failure).toBeInstanceOf(NearfieldError);
      expect(failure.code).toBe('bad-option');
    }
    expect(() => posesOfJoints({} as never, {})).toThrow(/must be the robot that readFile gives for a URDF/);
  });

  it('leaves planar and floating joints at zero, with a warning', async () => {
    const bytes = robot(link('a'), link('b'), joint('free', 'floating', 'a', 'b', '<origin xyz="1 0 0"/>'));
    const { warnings, bodies, robot: made } = await readRobot(bytes);
    expect(warnings).toEqual(['r.urdf: the floating joint "free" stays at zero']);
    expect(bodies[1].pose![12]).toBe(1);
    expect(() => posesOfJoints(made!, { free: 1 })).toThrow('the joint "free" is floating: it has no value');
  });
});
