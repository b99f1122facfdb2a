// `nearfield cluster status [RUN]`: how far runs are, what tiles cost, and why some have failed.

import { makespan } from '@nearfield/clashes';
import type { RunStatus } from '@nearfield/cluster';
import type { Terminal } from '../../output/terminal.ts';
import { type ClusterPlace, withCluster } from './open.ts';

export interface StatusOptions extends ClusterPlace {
  readonly json?: boolean | undefined;
}

/** 0 if all tiles are done, 1 if some are open or have failed. */
export async function status(
  run: string | undefined,
  options: StatusOptions,
  terminal: Terminal,
): Promise<number> {
  return withCluster(options, async cluster => {
    const names = run === undefined ? await cluster.runs() : [run];
    const runs: RunStatus[] = [];
    for (const name of names) runs.push(await cluster.status(name));
    await terminal.out(
      options.json ? `${JSON.stringify(runs.map(inNumbers))}\n` : runs.map(inWords).join(''),
    );
    return runs.every(({ list }) => list.every(({ state }) => state === 'done')) ? 0 : 1;
  });
}

const count = ({ list }: RunStatus, state: string) => list.filter(tile => tile.state === state).length;

/** What the tiles that are done have cost, and how long all of them take with more workers. */
function costs({ list }: RunStatus) {
  const seconds = list.flatMap(tile => (tile.seconds === undefined ? [] : [tile.seconds]));
  const total = seconds.reduce((sum, each) => sum + each, 0);
  const workers = [1, 2, 4, 8, 16, 32, 64];
  return {
    total,
    longest: Math.max(0, ...seconds),
    efficiency: Object.fromEntries(
      workers.map(each => [each, total === 0 ? 1 : total / (each * makespan(seconds, each))]),
    ),
  };
}

const inNumbers = (each: RunStatus) => {
  const { run, submitted, tiles, list } = each;
  const states = ['waiting', 'active', 'done', 'failed'] as const;
  return {
    ...{ run, submitted, tiles },
    ...Object.fromEntries(states.map(state => [state, count(each, state)])),
    ...{ seconds: costs(each), list },
  };
};

function inWords(each: RunStatus): string {
  const { run, tiles, list } = each;
  const { total, longest, efficiency } = costs(each);
  const [done, active, failed] = ['done', 'active', 'failed'].map(state => count(each, state));
  let text = `run ${run}: ${done} of ${tiles} ${tiles === 1 ? 'tile' : 'tiles'} done, ${active} active, ${failed} failed\n`;
  if (done > 0) {
    const share = (workers: number) => `${Math.round(100 * efficiency[workers])} % at ${workers}`;
    text += `  ${total.toFixed(1)} s of work, the longest tile ${longest.toFixed(1)} s; workers would be busy ${share(8)}, ${share(64)}\n`;
  }
  for (const { tile, state, attempts, error, worker } of list) {
    if (error !== undefined && state !== 'done')
      text += `  tile ${tile}: ${state} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, last by ${worker}: ${error}\n`;
  }
  return text;
}
