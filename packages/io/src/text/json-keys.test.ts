import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataUri, encode, gltfBuffer, gltfJson, refusal } from '../testing/samples.ts';
import { findRepeatedKey } from './json-keys.ts';

describe('repeated keys', () => {
  it.each([
    ['{"a":1,"a":2}', 'a', []],
    ['{"a":1,"\\u0061":2}', 'a', []],
    ['{"a\\"b":1,"a\\u0022b":2}', 'a"b', []],
    ['[{"x":[]},{"x":{"y":1,"y":2}}]', 'y', [1, 'x']],
    ['{"a":"{\\"b\\":1,\\"b\\":2}","c":["a","a",{"d":"\\\\","d":1}]}', 'd', ['c', 2]],
    ['{"":1,"":2}', '', []],
    ['{"__proto__":1,"__proto__":2}', '__proto__', []],
    [`{${Array.from({ length: 40 }, (_, i) => `"k${i % 39}":${i}`).join(',')}}`, 'k0', []],
  ])('%s', (text, key, path) => {
    JSON.parse(text);
    expect(findRepeatedKey(text)).toEqual({ key, path });
  });

  it.each([
    '{"a":{"a":{"a":1}},"b":"a"}',
    '["a","a"]',
    '"a"',
    '[{"a":1},{"a":1}]',
    '{"a":"\\\\","b":"\\\\\\""}',
    ' { } ',
  ])('none in %s', text => {
    JSON.parse(text);
    expect(findRepeatedKey(text)).toBeUndefined();
  });

  it('agrees with counting the keys that JSON.parse keeps, for any JSON with a repeated key', () => {
    const property = fc.property(fc.jsonValue(), fc.boolean(), fc.nat(), (value, repeats, where) => {
      const objects: Record<string, unknown>[] = [];
      const collect = (part: unknown) => {
        if (typeof part !== 'object' || part === null) return;
        if (!Array.isArray(part) && Object.keys(part).length > 0)
          objects.push(part as Record<string, unknown>);
        for (const child of Object.values(part)) collect(child);
      };
      collect(value);
      const chosen = repeats && objects.length > 0 ? objects[where % objects.length] : undefined;
      // An independent writer: one object gets its first key a second time, with all letters escaped.
      const write = (part: unknown): string => {
        if (Array.isArray(part)) return `[${part.map(write).join(' , ')}]`;
        if (typeof part !== 'object' || part === null) return JSON.stringify(part);
        const own = Object.entries(part).map(([key, child]) => `${JSON.stringify(key)} : ${write(child)}`);
        if (part === chosen) {
          const letters = [...Array(Object.keys(part)[0].length).keys()].map(
            i => `\\u${Object.keys(part)[0].charCodeAt(i).toString(16).padStart(4, '0')}`,
          );
          own.push(`"${letters.join('')}" : 0`);
        }
        return `{${own.join(', ')}}`;
      };
      const found = findRepeatedKey(write(value));
      expect(found?.key).toBe(chosen === undefined ? undefined : Object.keys(chosen)[0]);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('refuses a glTF with repeated keys, because half of it would be lost', async () => {
    const json = gltfJson();
    json.buffers[0].uri = dataUri(gltfBuffer());
    const text = JSON.stringify(json).replace('"meshes":', '"meshes":[],"meshes":');
    expect(await refusal('twice.gltf', encode(text))).toMatch(/"meshes" occurs twice/);
  });
});
