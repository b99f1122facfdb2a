// `nearfield cluster decide CLASH… --project P --set accepted` records a person's decision about clashes for the team.
// Without --set it lists the decisions so far, with names and dates.

import { userInfo } from 'node:os';
import { type Status, type StatusEntry, statusWords } from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import { printable, say, type Terminal } from '../../output/terminal.ts';
import { parseChoice } from '../options.ts';
import { entryAfter } from '../status.ts';
import { type ClusterPlace, withCluster } from './open.ts';

export interface DecideOptions extends ClusterPlace {
  readonly project: string;
  readonly set?: string | undefined;
  readonly comment?: string | undefined;
  readonly by?: string | undefined;
}

export async function decide(
  clashes: readonly string[],
  options: DecideOptions,
  terminal: Terminal,
): Promise<number> {
  const { project, comment, by = userInfo().username } = options;
  const status = parseChoice<Status>(options.set, '--set', statusWords);
  return withCluster(options, async ({ register }) => {
    const known = new Map((await register.decisions(project)).map(each => [each.clash, each]));
    const unknown = clashes.find(clash => !known.has(clash));
    if (unknown !== undefined) {
      const how = '"nearfield cluster results RUN --project" adds the clashes of a run';
      throw new NearfieldError('bad-option', `the project ${project} has no clash ${unknown}; ${how}`);
    }
    if (status === undefined) {
      for (const clash of clashes.length > 0 ? clashes : known.keys()) {
        for (const { entry, who, at } of await register.history(project, clash)) {
          const why = typeof entry['comment'] === 'string' ? `: ${entry['comment']}` : '';
          await terminal.out(
            `${printable(`${clash} ${entry['status']} by ${who} ${at.toISOString()}${why}`)}\n`,
          );
        }
      }
      return 0;
    }
    const date = new Date().toISOString();
    const entries = new Map(
      clashes.map(clash => {
        // The register itself has what was said earlier.
        const last = known.get(clash)!.entry as unknown as StatusEntry;
        const { earlier: _, ...entry } = entryAfter(last, status, { comment, by, date });
        return [clash, JSON.parse(JSON.stringify(entry)) as Record<string, unknown>] as const;
      }),
    );
    const added = await register.decide(project, by, entries);
    say(terminal, `${added} ${added === 1 ? 'decision was' : 'decisions were'} recorded`);
    return 0;
  });
}
