// One body's self-intersections shared by several threads (job/tasks.as.ts): the tasks are parts of the first
// thread's stack.

import { bodyAt } from '../../../../bvh/cpu/place/place.as';
import { jobFull, jobPaused } from '../../../../cpu/states.as';
import { hasRoom, Job } from '../job/job.as';
import { again, busy, isStopped, mayOffer, nextOffer, offer, Tasks } from '../job/tasks.as';
import { selfEntryBytes } from '../open-self.as';
import { stepSelf } from './self.as';

/** As `runTasks` of job/pair-tasks.as.ts. */
export function runTasks(job: Job, tasks: Tasks, budget: i32, mayWait: bool): i32 {
  const body = bodyAt(job.table, 0);
  while (true) {
    while (job.stackCount === 0) {
      if (isStopped(tasks)) return jobPaused;
      const state = nextOffer(job, tasks, selfEntryBytes, mayWait);
      if (state !== busy && state !== again) return state;
    }
    if (!hasRoom(job)) return jobFull;
    if (budget <= 0 || isStopped(tasks)) return jobPaused;
    if (job.stackCount > 1 && mayOffer(tasks)) offer(job, tasks, selfEntryBytes);
    budget -= stepSelf(job, body, body.tree);
  }
}
