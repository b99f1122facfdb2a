// BCF files are read back by another project's reader, and validated against the published schemas if those are at hand
// (NEARFIELD_BCF_SCHEMAS names the folder; they may not be distributed with the project).

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BcfReader as BcfReader3 } from '@parametricos/bcf-js';
import { BcfReader as BcfReader2 } from '@parametricos/bcf-js/dist/2.1/index.js';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { AssemblyAnswer, AssemblyPair } from '../../packages/clashes/src/assembly/types.ts';
import { assemblyBcf, type BcfVersion } from '../../packages/clashes/src/exchange/bcf/bcf.ts';
import { answerOf } from '../../packages/clashes/src/testing.ts';

const date = '2026-11-18T09:30:00Z';
const ids = ['2O2Fr$t4X7Zf8NOew3FNtn', '2O2Fr$t4X7Zf8NOew3FNqI', undefined];

function answer(more: Partial<AssemblyAnswer> = {}): AssemblyAnswer {
  const pairs: AssemblyPair[] = [
    {
      ...{ a: 0, b: 1, relation: 'crossing', triangleCount: 9, clash: '0123456789ab', severity: 'critical' },
      ...{ depth: { lower: 0.05, upper: 0.051 }, point: Float64Array.of(1, 2, 3), verdict: 'clash', test: 0 },
    },
    {
      ...{ a: 1, b: 2, relation: 'touching', triangleCount: 2, clash: '0123456789ac', verdict: 'accepted' },
      status: { status: 'accepted', comment: 'as <agreed> & "noted"', by: 'Ada', date },
    },
    { a: 0, b: 2, relation: 'touching', triangleCount: 1, clash: '0123456789ad', verdict: 'ignored' },
  ];
  const base = answerOf(['Wall <1>', 'Slab & "co"', 'Pipe \u0001'], pairs, {
    unitName: 'm',
    tests: [{ name: 'structure' }],
    files: [{ name: 'models/house.ifc', hash: '' }],
    ...more,
  });
  return { ...base, bodies: base.bodies.map((body, i) => ({ ...body, id: ids[i] })) };
}

/** A PNG of one pixel. */
const snapshot = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  letter => letter.charCodeAt(0),
);
const view = {
  ...({
    position: [5, 5, 5],
    direction: [-0.5, -0.5, -0.7],
    up: [0, 0, 1],
    height: 4,
    aspect: 1.5,
  } as const),
  snapshot,
};
const written = (version: BcfVersion, more?: Partial<AssemblyAnswer>) =>
  assemblyBcf(answer(more), { version, date, viewOf: async () => view });

const schemas = process.env.NEARFIELD_BCF_SCHEMAS ?? '../shared/suites/bcf';

describe.each(['2.1', '3.0'] as const)('BCF %s', version => {
  it('is read by another reader', async () => {
    const reader = version === '2.1' ? new BcfReader2() : new BcfReader3();
    await reader.read(await written(version));
    const markups = reader.project!.markups!;
    expect(markups.map(({ topic }) => topic!.title)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^Wall <1> and Slab & "co": crossing, 0\.05 to 0\.051 m deep/),
        expect.stringMatching(/^Slab & "co" and Pipe \\u0001: touching/),
      ]),
    );
    expect(markups).toHaveLength(2);
    const { topic: found, viewpoints = [] } = markups.find(({ topic }) =>
      topic!.title.startsWith('Wall'),
    )! as unknown as {
      readonly topic: { readonly guid: string; readonly topic_status?: string };
      readonly viewpoints?: readonly { readonly components?: { readonly selection?: unknown } }[];
    };
    expect(found.guid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(JSON.stringify(viewpoints)).toContain(ids[0]);
    expect(JSON.stringify(viewpoints)).toContain(ids[1]);
  });

  it.skipIf(!existsSync(schemas))('obeys the published schemas', async () => {
    const folder = join(schemas, version.replace('.', '_'));
    const preload = readdirSync(folder).map(fileName => ({
      fileName,
      contents: readFileSync(join(folder, fileName), 'utf8'),
    }));
    const schemaOf = (name: string) =>
      name.endsWith('markup.bcf')
        ? 'markup.xsd'
        : name.endsWith('.bcfv')
          ? 'visinfo.xsd'
          : name === 'bcf.version'
            ? 'version.xsd'
            : name === 'extensions.xml'
              ? 'extensions.xsd'
              : undefined;
    const documents = [];
    for (const more of [{}, { files: [] }]) {
      const files = unzipSync(await written(version, more));
      expect(Object.keys(files).filter(name => name.endsWith('snapshot.png'))).toHaveLength(2);
      documents.push(...Object.entries(files).map(([name, bytes]) => ({ schema: schemaOf(name), bytes })));
    }
    const used = new Set(documents.flatMap(({ schema }) => schema ?? []));
    expect([...used].sort()).toEqual(
      ['extensions.xsd', 'markup.xsd', 'version.xsd', 'visinfo.xsd'].slice(version === '2.1' ? 1 : 0),
    );
    for (const schema of used) {
      const main = preload.find(({ fileName }) => fileName === schema)!;
      const own = documents.filter(document => document.schema === schema);
      const { valid, errors } = await validateXML({
        xml: own.map(({ bytes }, i) => ({ fileName: `${i}.xml`, contents: strFromU8(bytes) })),
        schema: [main],
        preload: preload.filter(file => file !== main),
      });
      expect(errors).toEqual([]);
      expect(valid).toBe(true);
    }
  });

  it('is the same every time', async () => {
    expect(await written(version)).toEqual(await written(version));
  });
});

it('has one topic per group', async () => {
  const groups = [
    { id: 'aabbccddeeff', title: '2 clashes with Slab', members: ['0123456789ab', '0123456789ac'] },
  ];
  const reader = new BcfReader2();
  await reader.read(await written('2.1', { groups }));
  expect(reader.project!.markups!.map(({ topic }) => topic!.title)).toEqual(['2 clashes with Slab']);
});

it('refuses a motion', async () => {
  await expect(assemblyBcf(answer({ isMotion: true }), { date })).rejects.toMatchObject({
    code: 'unsupported',
  });
});
