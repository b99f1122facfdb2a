// Files that would crash, hang or fill the packages that read IFC and STEP: each ends in one line, and the next file is
// read. What the scan of the text refuses never reaches a package, so it is cheap to try often.

import { NearfieldError } from 'nearfield';
import { describe, expect, it, vi } from 'vitest';
import { Records } from '../part21/records.ts';
import { readFile } from '../read-file.ts';
import { Budget } from '../reading/budget.ts';
import { Structure } from '../step/assembly/structure.ts';
import { idOf, ifcText } from '../testing/ifc-samples.ts';
import { encode, refusal } from '../testing/samples.ts';
import { stepText } from '../testing/step-samples.ts';
import { type Asked, askForeign, type Foreign } from './foreign.ts';

const ifc = ifcText();
const pair = stepText({
  at: [
    [0, 0, 0],
    [100, 0, 0],
  ],
});

describe.each([
  ['a.ifc', ifc],
  ['a.step', pair],
])('%s', (name, text) => {
  it('survives being cut', async () => {
    const bytes = encode(text);
    for (let length = 0; length < bytes.length - 2; length += 97) {
      await refusal(name, bytes.slice(0, length));
    }
  });

  it('survives many changes at once', async () => {
    let state = 2024;
    const next = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < (process.env['NEARFIELD_SLOW'] ? 2000 : 12); round++) {
      const seed = state;
      const changed = encode(text);
      for (let i = next(8); i >= 0; i--) changed[next(changed.length)] = 32 + next(95);
      await readFile(name, changed).catch(error => {
        if (!(error instanceof NearfieldError)) throw new Error(`seed ${seed}: ${error}`, { cause: error });
        expect(error.message, `seed ${seed}`).toMatch(/^a\.(ifc|step): [^\n]+$/);
      });
    }
  });

  it('survives other bytes', async () => {
    for (const other of ['', 'x'.repeat(1_000_000), '#'.repeat(1_000_000), 'ISO-10303-21;', "'", '/*', '(('])
      await refusal(name, encode(other));
  });
});

describe('bombs', () => {
  const within = (text: string, more: string) => text.replace('ENDSEC;\nEND', `${more}ENDSEC;\nEND`);

  it('a placement relative to itself', async () => {
    const text = ifc.replace('#32=IFCLOCALPLACEMENT($,#31)', '#32=IFCLOCALPLACEMENT(#33,#31)');
    expect(await refusal('a.ifc', encode(text))).toBe('a.ifc: #32: the placement is relative to itself');
  });

  it('a geometry within itself crashes web-ifc, not the process', async () => {
    const text = ifc.replace("'SweptSolid',(#97));\n#96", "'SweptSolid',(#77));\n#96");
    expect(await refusal('a.ifc', encode(text))).toMatch(/the package web-ifc cannot read it \(/);
  });

  it('a structure within itself ends', async () => {
    const text = ifc.replace('#34,(#35))', '#36,(#35))');
    expect((await readFile('a.ifc', encode(text))).bodies[0].path?.length).toBeLessThan(10);
  });

  it('geometries that double 26 times need more memory than allowed', async () => {
    let more = '';
    for (let i = 0; i < 26; i++) {
      const id = 1000 + 3 * i;
      more += `#${id}=IFCSHAPEREPRESENTATION(#10,'Body','MappedRepresentation',(#${id + 1},#${id + 1}));\n`;
      more += `#${id + 1}=IFCMAPPEDITEM(#${id + 2},#79);\n`;
      more += `#${id + 2}=IFCREPRESENTATIONMAP(#11,#${i === 25 ? 95 : id + 3});\n`;
    }
    const text = within(ifc.replace('(#76));\n#76', '(#1000));\n#76'), more);
    expect(await refusal('a.ifc', encode(text))).toMatch(
      /web-ifc needs more than 51\d MiB for it; to allow more, raise maxExpansion/,
    );
  });

  it('properties of every part in every part', async () => {
    const count = 300;
    const walls = Array.from({ length: count }, (_, i) => 5000 + i);
    const sets = Array.from({ length: 1000 }, (_, i) => 10_000 + i);
    const more = [
      ...walls.map(id => `#${id}=IFCCOLUMN('${idOf(`${id}`)}',$,'c',$,$,#72,#75,$,$);`),
      ...sets.map(id => `#${id}=IFCPROPERTYSINGLEVALUE('${'p'.repeat(20)}${id}',$,IFCLABEL('v'),$);`),
      `#900=IFCPROPERTYSET('${idOf('many')}',$,'many',$,(${sets.map(id => `#${id}`).join()}));`,
      `#901=IFCRELDEFINESBYPROPERTIES('${idOf('all')}',$,$,$,(${walls.map(id => `#${id}`).join()}),#900);\n`,
    ];
    const bytes = encode(within(ifc, more.join('\n')));
    await expect(readFile('a.ifc', bytes, { properties: true, maxExpansion: 1 })).resolves.toBeDefined();
  });

  const use = /NEXT_ASSEMBLY_USAGE_OCCURRENCE\('0','box 0','',(#\d+),(#\d+),/.exec(pair)!;

  it('an assembly within itself, at once or by steps', async () => {
    const text = pair.replace(`,${use[2]},$)`, `,${use[1]},$)`);
    expect(await refusal('a.step', encode(text))).toBe(`a.step: ${use[1]}: the assembly contains itself`);
    const more = `#900=NEXT_ASSEMBLY_USAGE_OCCURRENCE('2','x','',${use[2]},${use[1]},$);\n`;
    expect(await refusal('a.step', encode(within(pair, more)))).toMatch(/: the assembly contains itself$/);
  });

  it('assemblies that double 30 times, and a chain of 100,000', async () => {
    const chain = (count: number, each: number) => {
      let more = `#999=NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',#1000,${use[1]},$);\n`;
      for (let i = 0; i < count; i++) {
        more += `#${1000 + i}=PRODUCT_DEFINITION('','',#13,#3);\n`;
        for (let k = 0; k < each; k++) {
          const id = 1_000_000 + each * i + k;
          more += `#${id}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',#${1001 + i},#${1000 + i},$);\n`;
        }
      }
      return encode(within(pair, `${more}#${1000 + count}=PRODUCT_DEFINITION('','',#13,#3);\n`));
    };
    expect(await refusal('a.step', chain(30, 2))).toMatch(/the file expands to more than 1\d MiB/);
    const records = new Records('a.step', chain(100_000, 1));
    // The chain, an assembly and two boxes.
    expect(new Structure('a.step', records).countInstances()).toBe(100_004);
  });
});

/** A package that is no reader: Node's own `os`, asked to do what a hostile file might. */
function foreign(ask: () => Promise<Asked<number>>): Foreign<null, number> {
  return {
    formats: 'X',
    name: 'node:os',
    wasm: '',
    wasmOfNode: '',
    load: () => Promise.reject(new Error()),
    ask,
  };
}

const hang = foreign(async () => {
  for (;;);
});

describe('a thread', () => {
  it('that hangs is ended', async () => {
    const budget = new Budget('a.x');
    vi.spyOn(budget, 'foreign').mockReturnValue({ memory: 2 ** 28, seconds: 1 });
    await expect(askForeign('a.x', hang, null, {}, budget)).rejects.toThrow(
      'a.x: node:os takes longer than 1 s; to allow more, raise maxExpansion',
    );
  });

  it('that fills its memory is ended', async () => {
    const budget = new Budget('a.x');
    vi.spyOn(budget, 'foreign').mockReturnValue({ memory: 2 ** 26, seconds: 60 });
    const fill = foreign(async () => {
      const all: number[][] = [];
      for (;;) all.push(new Array(100_000).fill(0.5));
    });
    const grow = foreign(async () => {
      const memory = new WebAssembly.Memory({ initial: 1 });
      try {
        for (;;) memory.grow(100);
      } catch {
        return { answer: memory.buffer.byteLength, buffers: [] };
      }
    });
    for (const full of [fill, grow]) {
      await expect(askForeign('a.x', full, null, {}, budget)).rejects.toThrow(
        'a.x: node:os needs more than 64 MiB for it; to allow more, raise maxExpansion',
      );
    }
  });

  it('ends the thread if the caller cancels', async () => {
    const cancel = new AbortController();
    const reading = askForeign('a.x', hang, null, { signal: cancel.signal }, new Budget('a.x'));
    setTimeout(() => cancel.abort(new Error('enough')), 50);
    await expect(reading).rejects.toThrow('enough');
    await expect(askForeign('a.x', hang, null, cancel, new Budget('a.x'))).rejects.toThrow('enough');
  });

  it('that leaves the process or throws is an error of one line', async () => {
    const leave = foreign(async () => process.exit(3));
    await expect(askForeign('a.x', leave, null, {}, new Budget('a.x'))).rejects.toThrow(
      'a.x: the package node:os cannot read it (its thread ended)',
    );
    const fail = foreign(async () => {
      throw new Error('two\nlines');
    });
    await expect(askForeign('a.x', fail, null, {}, new Budget('a.x'))).rejects.toThrow(
      'a.x: the package node:os cannot read it (two lines)',
    );
  });

  it('of a package that is not installed is never started', async () => {
    const missing = {
      ...foreign(async () => ({ answer: 1, buffers: [] })),
      formats: 'IFC',
      name: 'no-such-package',
    };
    await expect(askForeign('a.ifc', missing, null, {}, new Budget('a.ifc'))).rejects.toThrow(
      'a.ifc: reading IFC needs the package no-such-package: npm install no-such-package',
    );
  });
});
