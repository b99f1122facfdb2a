// The messages of a bench while it runs: the plan first, a progress line on a terminal, and one line per case.

import type { Case } from './case.ts';
import type { Plan } from './main.ts';
import type { ParticleRow } from './particles/measure.ts';
import { frameTime } from './particles/table.ts';
import type { CaseResult } from './run/runner.ts';
import { significant, timeOf } from './tables/markdown.ts';

/** The destination of results and messages, such as the command line's terminal. */
export interface Output {
  out(text: string): Promise<void> | void;
  err(text: string): void;
  /** Whether messages go to a terminal, and its width. */
  readonly interactive?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

export function describePlan({ scenes, caseCount, engines, minutes }: Plan): string {
  const scene = scenes.length === 1 ? `scene ${scenes[0]}` : `${scenes.length} scenes`;
  const cases = caseCount === 0 ? 'separate rows' : caseCount === 1 ? '1 case' : `${caseCount} cases`;
  const time = minutes < 1.5 ? 'a minute or so' : `about ${Math.round(minutes)} minutes`;
  const fewer = scenes.length > 1 ? `; to run fewer, name some of ${scenes.join(', ')}` : '';
  return `${scene}, ${cases}, ${engines.join(', ')}: ${time}${fewer}\n`;
}

/** The case and the warm time of every engine that has one, as used for ratios. */
export function describeCase({ scene, name, question, rows }: CaseResult): string {
  const figures = rows.flatMap(({ engine, warm }) =>
    warm ? [`${engine} ${significant(timeOf(engine, warm))} ms`] : [],
  );
  return `${scene}: ${name}, ${question}: ${figures.join(', ')}\n`;
}

export function describeParticles(row: ParticleRow): string {
  const { particles, colliders, kinds, backend, impacts } = row;
  const size = `${particles.toLocaleString('en')} × ${colliders} ${kinds}`;
  return `particles: ${size}, ${backend}: ${significant(frameTime(row))} ms per frame, ${Math.round(impacts)} impacts\n`;
}

interface Line {
  draw(share: number, job: Case): void;
  /** Erases the progress line and prints a whole line. */
  print(text: string): void;
}

export function createLine({ err, interactive = false, columns = 80 }: Output): Line {
  const started = performance.now();
  return {
    draw(share, { scene, name, question }) {
      if (!interactive) return;
      const left = share > 0.02 ? `, ${remaining((performance.now() - started) * (1 / share - 1))} left` : '';
      const text = `${String(Math.round(100 * share)).padStart(3)} %${left}  ${scene}: ${name}, ${question}`;
      err(`\r\u001b[2K${text.slice(0, Math.max(columns - 1, 10))}`);
    },
    print: text => err(interactive ? `\r\u001b[2K${text}` : text),
  };
}

function remaining(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
