// Which source files does a question enter? Counted by V8, for a question that was asked before.

import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** The TypeScript files that a tour of ARCHITECTURE.md names, in order. Kernels are not run by V8. */
export function filesOfTour(heading: string): string[] {
  const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const start = text.indexOf(`\n### ${heading}\n`);
  if (start < 0) throw new Error(`ARCHITECTURE.md has no tour ${heading}`);
  const tour = text.slice(start + 4).split(/\n##+ /)[0];
  return [...tour.matchAll(/\]\((packages\/[^)]*\.ts)\)/g)]
    .map(([, path]) => path)
    .filter(path => !path.endsWith('.as.ts'));
}

/** The files of which a question calls at least one function. */
export async function filesEnteredBy(ask: () => Promise<unknown>): Promise<Set<string>> {
  await ask();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await ask();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const entered = result.filter(({ functions }) =>
    functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
  );
  return new Set(entered.map(({ url }) => url.slice(url.lastIndexOf('/packages/') + 1)));
}

/** What is wrong with a tour: files that it names twice, and files that the question does not enter. */
export function faultsOf(tour: readonly string[], entered: ReadonlySet<string>): string[] {
  const twice = tour.filter((path, i) => tour.indexOf(path) < i).map(path => `${path} is named twice`);
  return [...twice, ...tour.filter(path => !entered.has(path)).map(path => `${path} is not entered`)];
}
