// The nearest triangle of a body for each of many world points. The walk (closest.as.ts) leaves the triangles that may
// be the nearest by their bounds in double. They are one answer if they all have the same nearest corner or edge (equal
// positions), decided exactly (point-feature.as.ts). Its distance is measured to 2^-52 of itself
// (measure-feature.as.ts). Different features are compared by their distances in double-double, with bounds. If these
// leave open which is nearest, as for most exact ties, or the distance is not certain to be that precise, all
// candidates are listed for the exact stage.
//
// A point starts with the bound that its predecessor's triangle gives: neighbours in an array are mostly neighbours in
// space.

import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import { closestGiven } from './answer-given.as';
import { closestPoint } from './answer-point.as';
import { chunk, closestOfPacket } from './packet/answer-packet.as';
import { packetSize } from './packet/search-packet.as';
import { PointsJob, pointOf, writeNoAnswer } from './points-job.as';
import { frameStretch, frameUnit } from './world-point.as';

/** Frames that stretch by more are of little use: their points are answered one by one. */
const mostStretch: f64 = 1.2;

/**
 * Answers points until none is left, out of room or past `budget` points. Several threads may do so at once, each with a job,
 * after a first call without budget, which prepares the body.
 */
export function closestPoints(job: PointsJob, budget: i32): i32 {
  const body = job.body;
  const tree = body.tree;
  const count = job.count;
  const empty = tree.triangleCount === 0;
  const unit = empty ? 0 : frameUnit(body);
  const boxes = job.boxes;
  const stretch = boxes === 0 || empty ? Infinity : frameStretch(body);
  const isGiven = job.given !== 0 && !empty;
  const most = isGiven ? packetSize : chunk;
  while (true) {
    let i = job.next;
    if (budget <= 0) return jobPaused;
    if (i >= job.end) {
      i = atomic.add<u32>(job.taken, most);
      if (i >= count) return jobDone;
      job.next = i;
      job.end = min(count, i + most);
      job.last = -1;
    }
    if (isGiven || stretch < mostStretch) {
      const end = min(job.end, i + packetSize);
      budget -= end - i;
      const isAnswered = isGiven
        ? closestGiven(job, body, tree, i, end, unit)
        : closestOfPacket(job, body, tree, i, end, stretch, unit);
      if (!isAnswered) return jobFull;
      continue;
    }
    budget--;
    if (empty) writeNoAnswer(job, i);
    else if (!closestPoint(job, body, tree, pointOf(job, i), unit, job.last)) return jobFull;
    else job.last = job.closest.slot;
    job.next = i + 1;
  }
}
