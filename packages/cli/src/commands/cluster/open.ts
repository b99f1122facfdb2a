// Opens the cluster of a command. The package is optional: users who check on one machine need no database client.

import type { Cluster } from '@nearfield/cluster';
import { NearfieldError } from 'nearfield';

/** What every command of the cluster takes. */
export interface ClusterPlace {
  readonly database?: string | undefined;
  readonly schema?: string | undefined;
  readonly store?: string | undefined;
  /** Seconds. */
  readonly lease?: string | undefined;
  readonly attempts?: string | undefined;
}

export type ClusterModule = typeof import('@nearfield/cluster');

/** Imports the package by a name that no bundler follows. */
export async function loadCluster(name = '@nearfield/cluster'): Promise<ClusterModule> {
  try {
    return (await import(/* @vite-ignore */ name)) as ClusterModule;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Only if the package itself is missing, not one of its dependencies.
    if (message.includes(name) && (code === undefined || code.startsWith('ERR_'))) {
      const how = `npm install ${name}`;
      throw new NearfieldError('unsupported', `nearfield cluster needs the package ${name}: ${how}`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** The URL, from the option or from the environment, where it does not appear in a list of processes. */
export const databaseOf = ({ database }: ClusterPlace): string | undefined =>
  database ?? process.env['NEARFIELD_DATABASE'];

/** The folder of the store, from the option or from the environment. */
export function storeOf({ store = process.env['NEARFIELD_STORE'] }: ClusterPlace): string {
  if (store !== undefined) return store;
  const how = 'a folder that all machines see, by --store or NEARFIELD_STORE';
  throw new NearfieldError('bad-option', `the cluster needs a place for models: ${how}`);
}

/** Does something with the cluster, and closes it. */
export async function withCluster<T>(
  place: ClusterPlace,
  action: (cluster: Cluster, module: ClusterModule) => Promise<T>,
): Promise<T> {
  const database = databaseOf(place);
  if (database === undefined)
    throw new NearfieldError(
      'bad-option',
      'the cluster needs a database: --database URL or NEARFIELD_DATABASE',
    );
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const module = await loadCluster();
  const cluster = await module.openCluster({
    ...{ database, schema: place.schema },
    ...{ lease: numberOf(place.lease), attempts: numberOf(place.attempts) },
  });
  try {
    return await action(cluster, module);
  } finally {
    await cluster.close();
  }
}
