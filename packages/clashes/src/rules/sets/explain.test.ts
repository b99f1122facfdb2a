import { expect, it } from 'vitest';
import { parseRules } from '../parse.ts';
import { whyEmpty } from './explain.ts';
import type { RuleBody } from './select.ts';

const house: RuleBody[] = [
  { name: 'Wall_12', type: 'IfcWall', file: 'models/arch.ifc', path: ['House', 'Level 1', 'Wall_12'] },
  { name: 'Slab 7', type: 'IfcSlab', file: 'models/arch.ifc', properties: { 'Pset.IsExternal': true } },
  { name: 'Pipe', file: 'mep.ifc' },
];
const why = (selector: unknown, bodies = house) => {
  const sets = { s: selector, walls: { class: 'IfcWal' } };
  const rules = parseRules('r.json', JSON.stringify({ sets, tests: [{ name: 't', all: true }] }));
  return whyEmpty('s', rules.sets, bodies);
};

it.each<[unknown, string]>([
  [{ name: 'wlal*' }, 'no name matches "wlal*"; did you mean "Wall*"?'],
  [{ name: 'pipes' }, 'no name matches "pipes"; did you mean "Pipe"?'],
  [{ name: '*slb*' }, 'no name matches "*slb*"; did you mean "*Slab*"?'],
  [{ name: 'pia*' }, 'no name matches "pia*"; did you mean "Pip*"?'],
  [{ name: 'slip*' }, 'no name matches "slip*"; there are "Wall_12", "Slab 7" and "Pipe"'],
  [{ class: ['IfcDoor', 'IfcSlba'] }, 'no class matches "IfcDoor", "IfcSlba"; did you mean "IfcSlab"?'],
  [{ file: 'struct*' }, 'no file matches "struct*"; there are "arch.ifc" and "mep.ifc"'],
  [{ path: 'Level 1/*' }, 'no path matches "Level 1/*"; there is "House/Level 1/Wall_12"'],
  [{ id: '2O2Fr' }, 'there is no id'],
  [{ property: { '*.IsExternl': true } }, 'no property matches "*.IsExternl"; did you mean "*IsExternal"?'],
  [{ property: { '*.IsExternal': false } }, 'no value of "*.IsExternal" matches "false"; there is "true"'],
  [{ all: ['walls', { file: 'mep' }] }, 'no class matches "IfcWal"; did you mean "IfcWall"?'],
  [
    { any: ['walls', { name: 'door' }] },
    'no class matches "IfcWal"; did you mean "IfcWall"?; no name matches "door"; there are "Wall_12", "Slab 7" and "Pipe"',
  ],
  [{ class: 'IfcWall', file: 'mep' }, 'no body fits all that it asks for'],
  [{ not: { name: '*' } }, 'no body fits all that it asks for'],
])('%j: %s', (selector, expected) => {
  expect(why(selector)).toBe(expected);
});

it('takes bounded time with very many long names', () => {
  const bodies = Array.from({ length: 20_000 }, (_, i) => ({ name: `${'long name '.repeat(9)}${i}` }));
  expect(why({ name: `*${'x'.repeat(90)}*` }, bodies)).toMatch(/and many more$/);
});
