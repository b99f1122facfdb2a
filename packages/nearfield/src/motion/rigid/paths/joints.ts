// Where is a link of a robot at each time, if the values of its joints change linearly? A link's pose is a product: for each joint
// from the root on, its origin and then its motion, and last the body's own pose in the link.
//
// The path. X(t) is that product, exact, of the doubles given, with every axis as a direction; each joint's value is
// from + t·(to − from). P₀ is a vertex's world position by the body's pose, P₁ that by the product at time 1 in doubles. The
// vertex is at x(t) = X(t) + (1 − t)·(P₀ − X(0)) + t·(P₁ − X(1)): X up to rounding, so that a motion begins and ends at
// the positions that every other question sees.
//
// The slack. A factor has entries off by 16·2^-53 (turn.ts), and a product of two 3×3 matrices adds three roundings. So each
// joint, two products, moves a point by less than 128·2^-53 of how far it may be from the joints before it. 2^-45 of that per joint is
// more, for lengths too, and for one `applyPose`; underflow adds what path.ts says. The two corrections are added as they are measured.
//
// The speed. A joint that turns moves a point by its rate times the point's distance from its axis. At time t that is
// measured at the corners of the body's box: the distance from a line is convex. Until t + h, the joints after it change it by no more than
// h times their own speeds.

import type { SnapshotBody } from '../../../bodies/snapshot/snapshot-body.ts';
import { NearfieldError } from '../../../core/errors.ts';
import { applyPose, identity, multiplyPoses, type Pose } from '../../../math/pose.ts';
import type { Vector } from '../../../math/vector.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import type { JointStep } from '../../types.ts';
import { jointFrames } from './joint-frames.ts';
import { type BodyPath, extentOf, up } from './path.ts';
import { lengthOf, linearOf, normOf, turnMatrix } from './turn.ts';

/** A joint with its origin as a checked pose and its axis of unit length. */
export interface Joint {
  /** What the caller gave: the same object for all bodies that the joint carries. */
  readonly step: JointStep;
  readonly kind: 'turn' | 'slide';
  readonly from: number;
  readonly to: number;
  readonly origin: Pose;
  readonly axis: Vector;
  /** The axis as given: its direction is that of the path. */
  readonly direction: Vector;
}

/** A path made of joints. */
export interface JointPath extends BodyPath {
  readonly steps: readonly JointStep[];
  /** As `speed`, seen from the link that the first `common` joints carry. */
  speedFrom(common: number, t: number, h: number): number;
}

/** How far a pose may be from that of the joints, and their origins from rotations, as a share of the size. */
const most = 1e-9;
/** Reaches are off by this factor at most: each origin is a rotation up to `most`, and there are fewer than 100 joints. */
const reachUp = 1 + 2 ** -20;

/** The path of a body carried by joints; `local` is its pose in the last link. Throws 'bad-pose'. */
export function jointPath(body: SnapshotBody, joints: readonly Joint[], local: Pose, who: string): JointPath {
  const { pose, positions, mesh } = body;
  for (const [i, { origin }] of joints.entries()) checkRotation(origin, `${who}: joint ${i}`);
  const { centre, radius, most: mostLocal } = extentOf(positions, mesh.indices, linearOf(local));
  const box = boundsOf(positions, mesh.indices);
  const corners = cornersOf(box);
  const count = joints.length;
  const rates = joints.map(({ from, to }) => Math.abs(to - from));
  const turning = sum(rates.filter((_, j) => joints[j].kind === 'turn'));
  // reaches[j]: no point of the body is farther from the origin of joint j, at any time.
  const reaches = new Float64Array(count + 1).fill(farthest(local, corners));
  for (let j = count - 2; j >= 0; j--) reaches[j] = (reaches[j + 1] + arm(joints[j + 1])) * up;
  const whole = (reaches[0] + (count > 0 ? arm(joints[0]) : 0)) * reachUp;
  // growths[j]: no point moves faster than this in the frame of joint j, by the joints after it.
  const growths = new Float64Array(count + 1);
  for (let j = count - 2; j >= 0; j--) {
    const { kind } = joints[j + 1];
    growths[j] = growths[j + 1] + rates[j + 1] * (kind === 'turn' ? reaches[j + 1] * reachUp : 1);
  }

  const poseOf = (t: number): Pose => {
    let product: Pose | undefined;
    for (const joint of joints) {
      product = product ? multiplyPoses(product, joint.origin) : joint.origin;
      const value = valueAt(joint, t);
      if (value !== 0) product = multiplyPoses(product, motionOf(joint, value));
    }
    return product ? multiplyPoses(product, local) : local.slice();
  };
  const size = normOf(linearOf(local));
  const rounding =
    2 ** -45 * (count + 1) * (whole + Math.sqrt(3) * size * mostLocal) +
    2 ** -1060 * (count + 1) * (1 + size + mostLocal + whole);
  const [start, end] = [poseOf(0), poseOf(1)];
  const off = farthestApart(pose, start, corners);
  if (!(off <= most * Math.max(radius, whole) + rounding)) {
    const message = `${who}: its pose is not that of its joints at their values \`from\`: it differs by ${Number(off.toPrecision(2))}`;
    throw new NearfieldError('bad-pose', message);
  }

  // |∂²x/∂qᵢ∂qⱼ| is at most the reach of the later of the two joints, or 1 if that one slides. It is 0 if the
  // earlier one slides, also if i = j: a slide is linear in its value, and later joints do not change its direction.
  let acceleration = 0;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) {
      if (joints[Math.min(i, j)].kind === 'slide') continue;
      const later = Math.max(i, j);
      const reach = joints[later].kind === 'turn' ? reaches[later] * reachUp : 1;
      acceleration += rates[i] * rates[j] * reach;
    }
  }
  let fastest = 0;
  for (let j = 0; j < count; j++)
    fastest += rates[j] * (joints[j].kind === 'turn' ? reaches[j] * reachUp : 1);
  const derivativeAt = (t: number, out: Float64Array): void => {
    out.fill(0);
    // What follows each joint, motion included; then, from the root on, what carries it.
    const following: Pose[] = [];
    let product = local;
    for (let j = count - 1; j >= 0; j--) {
      following[j] = product = multiplyPoses(motionOf(joints[j], valueAt(joints[j], t)), product);
      product = multiplyPoses(joints[j].origin, product);
    }
    let carrier = identity();
    for (let j = 0; j < count; j++) {
      const joint = joints[j];
      carrier = multiplyPoses(carrier, joint.origin);
      const rate = joint.to - joint.from;
      if (rate !== 0) {
        const turning = carrier.slice().fill(0, 12, 15);
        const moved = multiplyPoses(turning, multiplyPoses(derivativeOf(joint, rate), following[j]));
        for (let i = 0; i < 15; i++) out[i] += moved[i];
      }
      carrier = multiplyPoses(carrier, motionOf(joint, valueAt(joint, t)));
    }
  };

  const speedFrom = (common: number, t: number, h: number): number => {
    let total = 0;
    let product = local;
    for (let j = count - 1; j >= common; j--) {
      const joint = joints[j];
      const { kind } = joint;
      if (rates[j] > 0) {
        const reach =
          kind === 'slide'
            ? 1
            : Math.min(
                reaches[j] * reachUp,
                farthestFromAxis(product, corners, joint.axis) * reachUp + h * growths[j],
              );
        total += rates[j] * reach;
      }
      if (j > common) {
        const value = valueAt(joint, t);
        const moved = value === 0 ? product : multiplyPoses(motionOf(joint, value), product);
        product = multiplyPoses(joint.origin, moved);
      }
    }
    return (total + (common < count ? rounding : 0)) * up;
  };
  return {
    steps: joints.map(({ step }) => step),
    poseAt: (t, out) => out.set(t === 0 ? pose : t === 1 ? end : poseOf(t)),
    slack: 2 * rounding + off,
    speedFrom,
    speed: (t, h) => speedFrom(0, t, h),
    derivativeAt,
    // As positions, times the rates of turning; directions of slides are off by a share; the corrections change linearly.
    velocitySlack: 2 ** -44 * (count + 1) * fastest + 4 * rounding * (1 + turning) + off,
    acceleration: acceleration * up,
    rests: rates.every(rate => rate === 0),
    size: 2 * radius,
    reach: whole + off,
    frames: unit =>
      jointFrames({
        ...body,
        joints,
        local,
        end,
        centre,
        unit,
        turning,
        ...{ radius: radius + off, most: whole },
      }),
  };
}

/** From t to t + h two bodies do not approach faster than this. Joints that carry both do not count. */
export function relativeSpeed(a: BodyPath, b: BodyPath, t: number, h: number): number {
  if (!isJointPath(a) || !isJointPath(b)) return a.speed(t, h) + b.speed(t, h);
  let common = 0;
  while (common < a.steps.length && a.steps[common] === b.steps[common]) common++;
  return a.speedFrom(common, t, h) + b.speedFrom(common, t, h);
}

/**
 * The same path in other units: lengths times a power of two, which is exact. A path made of joints keeps them, so that common
 * ones are still seen.
 */
export function inUnits(path: BodyPath, unit: number): BodyPath {
  if (unit === 1) return path;
  const scale = (pose: Float64Array): void => {
    for (let i = 0; i < 15; i++) pose[i] *= unit;
  };
  const scaled: BodyPath = {
    ...path,
    poseAt: (t, out) => {
      path.poseAt(t, out);
      scale(out);
    },
    slack: path.slack * unit,
    speed: (t, h) => path.speed(t, h) * unit,
    derivativeAt: (t, out) => {
      path.derivativeAt(t, out);
      scale(out);
    },
    velocitySlack: path.velocitySlack * unit,
    acceleration: path.acceleration * unit,
    size: path.size * unit,
    reach: path.reach * unit,
    frames: more => path.frames(unit * more),
  };
  if (!isJointPath(path)) return scaled;
  const speedFrom: JointPath['speedFrom'] = (common, t, h) => path.speedFrom(common, t, h) * unit;
  return { ...scaled, steps: path.steps, speedFrom } as JointPath;
}

export const isJointPath = (path: BodyPath): path is JointPath => 'speedFrom' in path;

const valueAt = ({ from, to }: Joint, t: number): number => (t === 1 ? to : from + t * (to - from));

/** How far a joint's frame reaches from the one before: its origin, and how far it slides. */
const arm = ({ origin, kind, from, to }: Joint): number =>
  lengthOf(origin.subarray(12, 15)) + (kind === 'slide' ? Math.max(Math.abs(from), Math.abs(to)) : 0);

const matrix = new Float64Array(9);

function motionOf({ kind, axis }: Joint, value: number): Pose {
  const pose = identity();
  if (kind === 'slide') {
    for (let i = 0; i < 3; i++) pose[12 + i] = axis[i] * value;
    return pose;
  }
  turnMatrix(axis, value, matrix);
  for (let column = 0; column < 3; column++)
    for (let row = 0; row < 3; row++) pose[4 * column + row] = matrix[3 * column + row];
  return pose;
}

/** The derivative of a joint's motion at the value 0, times its rate. Applied after the motion, it is that at any value. */
function derivativeOf({ kind, axis: [x, y, z] }: Joint, rate: number): Pose {
  const out = new Float64Array(16);
  if (kind === 'slide') out.set([x * rate, y * rate, z * rate], 12);
  else {
    out.set([0, z * rate, -y * rate], 0);
    out.set([-z * rate, 0, x * rate], 4);
    out.set([y * rate, -x * rate, 0], 8);
  }
  return out;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function cornersOf(box: Float64Array): Float64Array {
  const corners = new Float64Array(24);
  for (let i = 0; i < 8; i++)
    for (let axis = 0; axis < 3; axis++) corners[3 * i + axis] = box[axis + ((i >> axis) & 1) * 3];
  return corners.every(Number.isFinite) ? corners : corners.fill(0);
}

const [one, other] = [new Float64Array(3), new Float64Array(3)];

function farthest(pose: Pose, corners: Float64Array): number {
  let far = 0;
  for (let i = 0; i < 24; i += 3) {
    applyPose(pose, corners[i], corners[i + 1], corners[i + 2], one, 0);
    far = Math.max(far, lengthOf(one));
  }
  return far * up;
}

/** How far apart two poses place a corner. They are affine, so no point of the box is placed farther apart. */
function farthestApart(a: Pose, b: Pose, corners: Float64Array): number {
  let far = 0;
  for (let i = 0; i < 24; i += 3) {
    applyPose(a, corners[i], corners[i + 1], corners[i + 2], one, 0);
    applyPose(b, corners[i], corners[i + 1], corners[i + 2], other, 0);
    far = Math.max(far, lengthOf([one[0] - other[0], one[1] - other[1], one[2] - other[2]]));
  }
  return far * up;
}

/** The largest distance of a corner from the line through the origin along an axis. */
function farthestFromAxis(pose: Pose, corners: Float64Array, [x, y, z]: Vector): number {
  let far = 0;
  for (let i = 0; i < 24; i += 3) {
    applyPose(pose, corners[i], corners[i + 1], corners[i + 2], one, 0);
    const cx = y * one[2] - z * one[1];
    const cy = z * one[0] - x * one[2];
    const cz = x * one[1] - y * one[0];
    far = Math.max(far, lengthOf([cx, cy, cz]));
  }
  return far * up;
}

function checkRotation(origin: Pose, who: string): void {
  const l = linearOf(origin);
  for (let i = 0; i < 9; i += 3) {
    for (let j = 0; j < 9; j += 3) {
      const dot = l[i] * l[j] + l[i + 1] * l[j + 1] + l[i + 2] * l[j + 2];
      if (Math.abs(dot - (i === j ? 1 : 0)) <= most) continue;
      throw new NearfieldError(
        'bad-pose',
        `${who}: its origin must be a rotation and a translation, without scale`,
      );
    }
  }
}
