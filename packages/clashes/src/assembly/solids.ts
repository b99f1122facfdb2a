// Which bodies have no inside? A body that is not closed and consistently oriented is only a surface. If it lies
// wholly within another body, or another within it, the two count as separate. Users must know this before they trust
// "separate".

import { labelsOf } from '../text/labels.ts';

export interface Surfaced {
  readonly name: string;
  readonly file?: string | undefined;
  readonly triangles: number;
  readonly closed: boolean;
  readonly solid: boolean;
}

/** The maximum number of names in the sentence. */
const mostNames = 4;

/** One sentence without a full stop; undefined if every body with triangles is a solid. */
export function notSolid(bodies: readonly Surfaced[]): string | undefined {
  const labels = labelsOf(bodies);
  const without = bodies
    .map(({ triangles, closed, solid }, i) => ({ triangles, closed, solid, name: labels[i] }))
    .filter(({ triangles, solid }) => triangles > 0 && !solid);
  if (without.length === 0) return undefined;
  const [is, a] = without.length === 1 ? ['is', 'a solid'] : ['are', 'solids'];
  const named = without
    .slice(0, mostNames)
    .map(({ name, closed }) => `${name} is ${whyNotSolid({ closed })}`);
  const more = without.length - named.length;
  if (more > 0) named.push(`and ${more.toLocaleString('en-US')} more`);
  const share = `${without.length.toLocaleString('en-US')} of ${bodies.length.toLocaleString('en-US')} bodies`;
  return `${share} ${is} not ${a} (${named.join(', ')}): surfaces that meet are found, but not a body that lies wholly inside such a body or wholly around it`;
}

export const whyNotSolid = ({ closed }: Pick<Surfaced, 'closed'>): string =>
  closed ? 'not consistently oriented' : 'open';
