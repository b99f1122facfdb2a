// For tests: an engine that passes for a GPU's, with made-up drivers.

import type { Engine } from '../../bodies/engine.ts';
import type { DriverKey } from '../engine.ts';

/** `drivers` by their names. */
export function fakeEngine(drivers: Readonly<Record<string, object>>, own: Partial<Engine> = {}): Engine {
  const driver = ({ name }: DriverKey<unknown>) => drivers[name];
  const engine = { backend: 'gpu', name: 'made up', forget() {}, close() {}, driver } as const;
  return { ...engine, ...own } as Engine;
}
