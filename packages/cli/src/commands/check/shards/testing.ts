// Random assemblies for tests: boxes and balls in several files, on a grid and off it, some nested, equal, flush or open.

import { createRandom, icosphere } from 'nearfield/shapes';
import { boxObj } from '../../../testing.ts';

/** The models of a random assembly. */
export const models = ['first.obj', 'second.obj'];

/** The JSON without the two fields that depend on the machine. */
export const same = (json: string): string =>
  json.replace(/^ {2}"backend": .*\n/m, '').replace(/^ {2}"timing": .*$/m, '');

/** What is asked about random assemblies. */
export const questions: readonly (readonly string[])[] = [
  [],
  ['--clearance', '0.3'],
  ['--tolerance', '0.1'],
  ['--tolerance', 'file', '--depths', 'all'],
  ['--depths', 'all', '--volumes', '--clearance', '0.25'],
  ['--triangles', '--depths', 'none'],
  ['--rules', 'rules.json', '--clearance', '0.1'],
  ['--rules', 'rules.json', '--poses', 'motion.json', '--depths', 'shown'],
  ['--between', 'first*', 'second*', '--ignore', 'touching'],
  ['--poses', 'poses.json', '--tolerance', '0.3', '--clearance', '0.2'],
  ['--poses', 'motion.json'],
  ['--poses', 'motion.json', '--depths', 'all', '--clearance', '0.2', '--triangles'],
  ['--one-body', '--depths', 'all'],
];

/** Files by name: `first.obj`, `second.obj`, `rules.json`, `poses.json` and `motion.json`. */
export function randomAssembly(seed: number, count = 24): Record<string, string> {
  const { next: random } = createRandom(seed);
  const whole = (most: number) => Math.floor(random() * most);
  const size = Math.cbrt(count) * 1.3;
  const part = (name: string): string => {
    const place = [0, 1, 2].map(() => (random() < 0.6 ? whole(4 * size) / 4 : random() * size));
    const [x, y, z] = place;
    if (random() < 0.25) return ballObj(name, place, 0.3 + random());
    const box = boxObj(x, y, z, [0.25, 0.5, 1, 1, 2][whole(5)], name);
    // Without its last face it is open.
    return random() < 0.15 ? box.trimEnd().split('\n').slice(0, -1).join('\n') : box;
  };
  const parts = Array.from({ length: count }, (_, i) => part(`part${i}`));
  // The same part twice.
  parts[count - 1] = parts[0].replace('o part0\n', `o part${count - 1}\n`);
  const half = count >> 1;
  const frame = (share: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`#${i}`, turned(random, size)] as const).filter(
        () => random() < share,
      ),
    );
  return {
    'first.obj': parts.slice(0, half).join('\n'),
    'second.obj': parts.slice(half).join('\n'),
    'poses.json': JSON.stringify(frame(0.4)),
    'motion.json': JSON.stringify([frame(0.5), frame(0.2), {}, frame(0.3), frame(0.1)]),
    'rules.json': JSON.stringify({
      sets: { tens: { name: 'part1*' }, rest: { not: 'tens' } },
      tests: [
        { name: 'tens and rest', between: ['tens', 'rest'], severity: 'critical', clearance: 0.4 },
        { name: 'tens', between: ['tens', 'tens'], tolerance: 0.2, severity: 'minor' },
      ],
      allow: [{ between: [{ name: 'part12' }, { name: 'part1?' }], reason: 'welded' }],
    }),
  };
}

function ballObj(name: string, place: readonly number[], radius: number): string {
  const { positions, indices } = icosphere({ radius, frequency: 2 });
  let text = `o ${name}\n`;
  for (let i = 0; i < positions.length; i += 3)
    text += `v ${place.map((at, k) => (at + positions[i + k]).toFixed(4)).join(' ')}\n`;
  const vertexCount = positions.length / 3;
  for (let i = 0; i < indices.length; i += 3)
    text += `f ${[0, 1, 2].map(k => indices[i + k] - vertexCount).join(' ')}\n`;
  return text;
}

/** A pose that turns about z and moves a little. */
function turned(random: () => number, size: number): number[] {
  const angle = random() * 7;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const move = () => (random() - 0.5) * size * 0.5;
  return [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, move(), move(), move(), 1];
}
