// The additional parts of a report about a motion: a table of every frame with findings, and for each pair of bodies
// the worst frame, in which it is drawn.

import { compareImportance } from '../severity/order.ts';
import { badge, number, plural, truncated } from './html.ts';
import { listing, type PictureInput, type ReportInput, type ReportPair } from './types.ts';

/** The two bodies of a pair at their places in its frame. */
export function pairInput({ bodies, pairs, motion }: ReportInput, { a, b, when }: ReportPair): PictureInput {
  if (!motion || !when || when.frame === motion.frame) return { bodies, pairs };
  const placed = bodies.slice();
  for (const index of [a, b]) placed[index] = motion.bodyAt(index, when.frame);
  return { bodies: placed, pairs };
}

/** The whole assembly in one frame. Triangles are marked for the pairs whose worst frame it is. */
export function overviewOf({ bodies, pairs, motion }: ReportInput): PictureInput {
  if (!motion) return { bodies, pairs };
  const found = motion.frames.find(({ frame }) => frame === motion.frame)?.pairs ?? [];
  const known = new Map(pairs.map(pair => [pair.a * bodies.length + pair.b, pair]));
  return {
    bodies,
    pairs: found.map(pair => {
      const worst = known.get(pair.a * bodies.length + pair.b);
      const triangles = worst?.when?.frame === motion.frame ? worst.triangles : new Uint32Array(0);
      return { ...pair, triangles };
    }),
  };
}

/** One row per frame with findings. `pairs` are in the order of their numbers; the first `pictured` have pictures. */
export function frameTable(
  { bodies, motion }: ReportInput,
  pairs: readonly ReportPair[],
  pictured: number,
  limit: number,
): string {
  if (!motion || motion.frames.length === 0) return '';
  const found = motion.frames.flatMap(frame => frame.pairs);
  const numberOf = new Map(pairs.map(({ a, b }, i) => [a * bodies.length + b, i + 1]));
  const lines = motion.frames.slice(0, limit).map(({ frame, pairs: states }) => {
    const worst = states.reduce((first, pair) => (compareImportance(pair, first) < 0 ? pair : first));
    const n = numberOf.get(worst.a * bodies.length + worst.b)!;
    const tally = listing.flatMap(relation => {
      const count = states.filter(pair => pair.relation === relation).length;
      return count > 0 ? [`${badge(relation)} ${number(count)}`] : [];
    });
    const triangles = states.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
    return `<tr><td class="n">${frame}</td><td>${tally.join(' ')}</td><td class="n">${number(triangles)}</td>
<td class="n">${n <= pictured ? `<a href="#pair-${n}">${n}</a>` : n}</td></tr>`;
  });
  return `<section>
<h2>Frames</h2>
<p class="note">${plural(motion.frames.length, 'frame')} of ${number(motion.frameCount)} (0 to ${motion.frameCount - 1}) in which something meets${found.some(({ relation }) => relation === 'separate') ? ' or is too close' : ''}.</p>
${truncated(motion.frames.length, limit)}<div class="scroll"><table>
<thead><tr><th scope="col" class="n">Frame</th><th scope="col">Pairs of bodies</th><th scope="col" class="n">Triangle pairs</th><th scope="col" class="n">Worst pair</th></tr></thead>
<tbody>${lines.join('\n')}</tbody>
</table></div>
</section>`;
}
