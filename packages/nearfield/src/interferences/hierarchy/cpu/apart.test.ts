import { expect, it } from 'vitest';
import { boxesApart, expectApart, expectOutside } from '../../../../../../test/spec/apart.ts';
import { createCpuEngine } from '../../../cpu/engine.ts';
import { useBreadthFirst } from '../../../entries/breadth-first.ts';

useBreadthFirst();
const engine = await createCpuEngine();
const rounds = process.env.NEARFIELD_SLOW ? 100 : 3;

it.each(['walk', 'breadth-first'] as const)(
  'calls bodies apart only if a plane separates them: %s',
  async way => {
    for (const far of [0, 1e6]) {
      for (let seed = 1; seed <= rounds; seed++) {
        const told = await expectApart(engine, boxesApart(seed, 150, far), `seed ${seed}, ${far} away`, way);
        expect(told).toBeGreaterThan(20);
      }
    }
  },
);

it('says of boxes only that they reach out of others if a corner does', async () => {
  for (const far of [0, 1e6]) {
    for (let seed = 1; seed <= rounds; seed++) {
      const told = await expectOutside(engine, boxesApart(seed, 150, far), `seed ${seed}, ${far} away`);
      expect(told).toBeGreaterThan(100);
    }
  }
});

it('calls nothing apart if no boxes are tested', async () => {
  expect(await expectApart(engine, boxesApart(1, 100, 0), 'brute force', 'brute-force')).toBe(0);
});
