// The worker, as seen by the page.

import type { Limits, Tasks } from '../types.ts';
import { Caller, type Port } from './channel.ts';

export function startWorker(): Tasks {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'nearfield' });
  const caller = new Caller(worker as Port);
  worker.addEventListener('error', event => {
    caller.fail(`the worker has ended: ${event.message || 'it could not be started'}; reload the page`);
  });
  const task =
    <I, R>(name: keyof Tasks) =>
    (input: I, limits?: Limits) =>
      caller.call<R>(name, input, limits);
  return {
    hello: () => caller.call('hello', undefined),
    sample: limits => caller.call('sample', undefined, limits),
    read: task('read'),
    forget: task('forget'),
    pairs: task('pairs'),
    measure: task('measure'),
    touched: task('touched'),
    statuses: task('statuses'),
    groups: task('groups'),
    distance: task('distance'),
    curves: task('curves'),
    clearance: task('clearance'),
    pairView: task('pairView'),
    motion: task('motion'),
    contacts: task('contacts'),
    write: task('write'),
    benchCase: task('benchCase'),
    benchMeasure: task('benchMeasure'),
  };
}
