// Whatever an application can name has a doc comment: what the entry points export, the types that these mention, and every member of
// them. The compiler's declarations are read, as they are published: private and @internal members are gone from them, and so are
// constructors that only the library calls.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentQuestions, pruneDeclarations, splitStatements } from '../../scripts/bundle/declarations.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nearfield-declarations-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The modules that package.json exports, as paths of declarations without `.d.ts`. */
function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages/nearfield/package.json'), 'utf8'));
  return Object.values<{ types?: string }>(exports).flatMap(
    ({ types }) => /^\.\/dist\/(.+)\.d\.ts$/.exec(types ?? '')?.[1] ?? [],
  );
}

beforeAll(() => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const project = join(root, 'packages/nearfield/tsconfig.json');
  // Without a check: three/ imports the library by name, which needs a build. `npm run check` checks types.
  const words = ['-p', project, '--outDir', folder, '--noCheck'];
  execFileSync(process.execPath, [tsc, ...words], { stdio: 'inherit' });
  pruneDeclarations(folder, entryPoints());
  documentQuestions(folder, ['scene', 'cpu-scene']);
});

const leadingComment = /^\s*\/\*\*[\s\S]*?\*\/\s*(?=\S)/;
const tokens = /\/\*[\s\S]*?\*\/|'[^'\n]*'|"[^"\n]*"|=>|[{}()[\]<>;]/g;
/** Members of classes that an application has no use for. */
const isHidden = (code: string): boolean => /^(#private|protected constructor\(\))/.test(code);
const words =
  /^(?:(?:export|declare|abstract|class|interface|type|const|function|enum|readonly|static|get|set) )*/;
const nameOf = (code: string): string => /^(?:[\w$]+|\[[\w.]+\])/.exec(code.replace(words, ''))?.[0] ?? code;

/** What has no comment in the text of one declaration: its own name or those of members, in braces within braces too. */
function* undocumented(source: string, path = ''): Generator<string> {
  const comment = leadingComment.exec(source)?.[0] ?? '';
  const code = source.slice(comment.length).trim();
  if (isHidden(code)) return;
  const name = path + nameOf(code);
  if (comment === '') yield name;
  for (const body of bodiesIn(code)) {
    for (const member of membersIn(body)) yield* undocumented(member, `${name}.`);
  }
}

/** What stands between braces that describe the thing declared: not its parameters, type arguments or conditions. */
function* bodiesIn(code: string): Generator<string> {
  const open: string[] = [];
  let begin = 0;
  for (const { 0: token, index } of code.matchAll(tokens)) {
    if ('{([<'.includes(token)) {
      if (token === '{' && open.length === 0) begin = index + 1;
      open.push(token);
    } else if ('})]>'.includes(token)) {
      open.pop();
      if (token !== '}' || open.length > 0) continue;
      if (
        !/ extends $/.test(code.slice(0, begin - 1)) ||
        /^(export )?(declare )?(interface|class)/.test(code)
      ) {
        yield code.slice(begin, index);
      }
    }
  }
}

/** Members end at semicolons outside of all brackets. */
function membersIn(body: string): string[] {
  const members: string[] = [];
  let begin = 0;
  let depth = 0;
  for (const { 0: token, index } of body.matchAll(tokens)) {
    if ('{([<'.includes(token)) depth++;
    else if ('})]>'.includes(token)) depth--;
    else if (token === ';' && depth === 0) {
      members.push(body.slice(begin, index + 1));
      begin = index + 1;
    }
  }
  return members;
}

const isDeclaration = (statement: string): boolean =>
  /^(export )?(declare )?(abstract )?(class|interface|type(?! [{*])|const|function|enum) /.test(
    statement.replace(leadingComment, '').trim(),
  );

describe('a declaration without comments', () => {
  const found = (text: string) => splitStatements(text).flatMap(statement => [...undocumented(statement)]);

  it('is named, and so is every member', () => {
    const text = `export interface Options<B extends Known> { readonly size?: [number, number] | undefined; ask(how: { few: 1 }): void; }
export declare class Thing { #private; protected constructor(); get state(): { readonly at: number; }; [Symbol.iterator](): Iterator<B>; }`;
    const members = ['Thing', 'Thing.state', 'Thing.state.at', 'Thing.[Symbol.iterator]'];
    expect(found(text)).toEqual(['Options', 'Options.size', 'Options.ask', ...members]);
  });

  it('is named in a union, but not in a condition', () => {
    const text = `/** A. */ export type A = { readonly x: 1; } | /** One. */ { /** Two. */ y: 2; };
/** B. */ export type B = typeof globalThis extends { Known: { readonly it: infer K; }; } ? K : object;`;
    expect(found(text)).toEqual(['A.x']);
  });
});

it('everything public has a doc comment', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.d.ts'),
  );
  const missing = files.sort().flatMap(file => {
    const statements = splitStatements(readFileSync(join(folder, file), 'utf8')).filter(isDeclaration);
    return statements.flatMap(statement => [...undocumented(statement)]).map(name => `${file}: ${name}`);
  });
  expect(files.length).toBeGreaterThan(entryPoints().length);
  expect(missing).toEqual([]);
});
