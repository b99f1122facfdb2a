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
  const without = [...bodies.keys()].filter(i => bodies[i].triangles > 0 && !bodies[i].solid);
  if (without.length === 0) return undefined;
  const labels = labelsOf(bodies);
  const named = without.slice(0, mostNames).map(i => `${labels[i]} (${whyNotSolid(bodies[i])})`);
  const more = without.length - named.length;
  if (more > 0) named.push(`${more.toLocaleString('en-US')} more`);
  const share = `${without.length.toLocaleString('en-US')} of ${bodies.length.toLocaleString('en-US')} bodies`;
  const [are, them] = without.length === 1 ? ['is not a solid', 'it'] : ['are not solids', 'them'];
  const one = without.length === 1 ? 'it' : 'one of them';
  return `${share} ${are}: a part wholly inside or wholly around ${one} is not found (surfaces that meet are); to be sure, export ${them} closed and with all faces outwards: ${named.join(', ')}`;
}

export const whyNotSolid = ({ closed }: Pick<Surfaced, 'closed'>): string =>
  closed ? 'not consistently oriented' : 'open';
