import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AssemblyBody } from '../assembly/types.ts';
import { answerOf } from '../testing.ts';
import { jsonText } from '../text/escape.ts';
import { assemblyJson, list } from './json.ts';

it('writes a body as JSON.stringify does, hidden characters as escapes, whatever its file says', () => {
  const text = fc.string({ unit: 'binary' });
  const number = fc.oneof(fc.double(), fc.constant(-0), fc.constant(Infinity));
  const hash = fc.stringMatching(/^[0-9a-f]{32}$/);
  const body = fc.record(
    {
      name: text,
      file: text,
      path: fc.array(text),
      id: text,
      type: text,
      properties: fc.dictionary(text, fc.oneof(text, number, fc.boolean())),
      rounding: number,
      fingerprint: fc.record(
        { mesh: hash, pose: hash, box: fc.array(number), sets: hash },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['name'] },
  );
  const property = fc.property(body, ({ name, file, fingerprint, ...said }) => {
    const own = { index: 0, name, file, vertices: 8, triangles: 12, closed: true, solid: false };
    const { path, id, type, properties, rounding } = said;
    const whole = fingerprint && { ...{ mesh: '', pose: '' }, ...fingerprint };
    const { mesh, pose, box, sets } = whole ?? {};
    const ordered = whole && { mesh, pose, box, sets };
    const given = { ...own, path, id, type, properties, rounding, fingerprint: whole } as AssemblyBody;
    const written = [...assemblyJson({ ...answerOf([], []), bodies: [given] }, false)].join('');
    const expected = jsonText({ ...own, path, id, type, properties, rounding, fingerprint: ordered });
    expect(written).toContain(`\n    ${expected}],\n`);
  });
  fc.assert(property, { numRuns: 200 });
});

it('a list in pieces has one item per line, whatever the pieces are', () => {
  const items = Array.from({ length: 3000 }, (_, i) => `item ${i}`);
  const lines = items.map((item, i) => `${i === 0 ? '' : ','}\n  ${item}`).join('');
  expect([...list(items, '  ', item => item)].join('')).toBe(lines);
  expect([...list(items, '  ', item => item)].length).toBeLessThan(20);
  expect([...list(items, '  ', item => [...item])].join('')).toBe(lines);
  expect([...list([], '  ', item => item)]).toEqual([]);
});
