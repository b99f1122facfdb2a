// Declarations (`.d.ts`) less what no entry point leads to. The compiler declares every source file whole; a user needs the types that the
// entry points export, and those that these mention. What is left depends on no engine and no kernel, so that it compiles without the types
// of WebGPU.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const word = /[A-Za-z_$][\w$]*/g;
const declaration =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:class|interface|type|const|let|var|function|enum|namespace) ([\w$]+)/;
/** What ends with its closing brace, where all else ends with a semicolon. */
const braced =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:class|interface|enum|namespace|module|global)\b/;
const imported = /^(import|export) (type )?([\s\S]*?) ?from ['"]([^'"]+)['"];?$/;

/** Leaves in a folder what some modules in it export, given by their paths without `.d.ts`. */
export function pruneDeclarations(folder, entries) {
  const modules = new Map();
  const moduleAt = path => {
    if (!modules.has(path)) modules.set(path, readModule(path));
    return modules.get(path);
  };
  const paths = entries.map(entry => join(folder, `${entry}.d.ts`));
  for (const path of paths) for (const name of exportsOf(path, moduleAt)) keep(path, name, true, moduleAt);
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const module = modules.get(path);
    if (module === undefined || !module.statements.some(statement => statement.kept)) rmSync(path);
    else writeFileSync(path, textOf(module));
  }
}

/** A module as its statements, each with the comment before it. */
function readModule(path) {
  const text = readFileSync(path, 'utf8');
  const statements = splitStatements(text).map(source => {
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').trim();
    const link = imported.exec(code);
    if (link === null) return { source, code, name: declaration.exec(code)?.[1] };
    const [, kind, onlyTypes, names, from] = link;
    const target = from.startsWith('.') ? join(dirname(path), from.replace(/\.[jt]s$/, '.d.ts')) : undefined;
    return { source, code, kind, onlyTypes: onlyTypes !== undefined, from, target, names: namesOf(names) };
  });
  return { path, statements };
}

/** The names of an import or export: by what they are called here, what they are called there ('*' is all). */
function namesOf(text) {
  const whole = /^\* as ([\w$]+)$/.exec(text);
  if (whole !== null) return [{ here: whole[1], there: '*', isType: false }];
  if (text === '*') return [{ here: '*', there: '*', isType: false }];
  const listed = /\{([\s\S]*)\}/.exec(text)?.[1] ?? '';
  const list = listed.split(',').map(part => part.trim());
  const named = list
    .filter(part => part !== '')
    .map(part => {
      const isType = part.startsWith('type ');
      const [there, here = there] = part.replace(/^type /, '').split(' as ');
      return { here, there, isType };
    });
  const usual = /^[\w$]+/.exec(text)?.[0];
  return usual === undefined ? named : [{ here: usual, there: 'default', isType: false }, ...named];
}

/** Statements end at a semicolon or closing brace outside of all brackets, comments and strings. */
export function splitStatements(text) {
  const statements = [];
  let begin = 0;
  let depth = 0;
  for (const match of text.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'|"[^"\n]*"|[{}()[\];]/g)) {
    const [token] = match;
    if ('{(['.includes(token)) depth++;
    else if ('})]'.includes(token)) depth--;
    else if (token !== ';') continue;
    if (depth > 0) continue;
    const end = match.index + 1;
    const source = text.slice(begin, end);
    const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').trim();
    if (token !== ';' && !(token === '}' && braced.test(code))) continue;
    statements.push(source.replace(/^\n+/, ''));
    begin = end;
  }
  return statements;
}

function exportsOf(path, moduleAt) {
  return moduleAt(path).statements.flatMap(statement => {
    if (statement.kind === 'import') return [];
    if (statement.kind === 'export') {
      return statement.names.flatMap(({ here }) =>
        here === '*' ? exportsOf(statement.target, moduleAt) : [here],
      );
    }
    const listed = /^export (?:type )?\{([\s\S]*)\};?$/.exec(statement.code);
    if (listed !== null) return namesOf(`{${listed[1]}}`).map(({ here }) => here);
    return statement.name !== undefined && statement.code.startsWith('export') ? [statement.name] : [];
  });
}

/** Keeps what a module calls by a name, and all that it mentions. `isValue`: an application may have the value, not the type alone. */
function keep(path, name, isValue, moduleAt) {
  const { statements } = moduleAt(path);
  for (const statement of statements) {
    if (statement.names !== undefined) {
      for (const found of statement.names) {
        if (found.here !== name && found.here !== '*') continue;
        if (found.here === '*' && !exportsOf(statement.target, moduleAt).includes(name)) continue;
        statement.kept = true;
        found.kept = true;
        if (statement.target === undefined) continue;
        const asValue = isValue && !found.isType && !statement.onlyTypes;
        const names =
          found.here !== '*' && found.there === '*' ? exportsOf(statement.target, moduleAt) : undefined;
        for (const there of names ?? [found.there === '*' ? name : found.there]) {
          keep(statement.target, there, asValue, moduleAt);
        }
      }
      continue;
    }
    const listed = /^export (?:type )?\{([\s\S]*)\};?$/.exec(statement.code);
    if (listed !== null) {
      const found = namesOf(`{${listed[1]}}`).find(({ here }) => here === name);
      if (found === undefined) continue;
      statement.kept = true;
      if (found.there !== name) keep(path, found.there, isValue, moduleAt);
      continue;
    }
    if (statement.name !== name) continue;
    const wasValue = statement.isValue === true;
    if (statement.kept && (wasValue || !isValue)) continue;
    statement.kept = true;
    statement.isValue = wasValue || isValue;
    const mentioned = new Set(
      withoutConstructor(statement)
        .replace(/\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"/g, '')
        .match(word),
    );
    for (const other of mentioned) if (other !== name) keep(path, other, false, moduleAt);
    for (const [, from, there] of statement.code.matchAll(/import\(['"](\.[^'"]+)\.[jt]s['"]\)\.([\w$]+)/g)) {
      keep(join(dirname(path), `${from}.d.ts`), there, false, moduleAt);
    }
  }
}

/**
 * A class whose type alone an application has is made by the library, and so is one whose constructor says what to use instead: nobody
 * else calls their constructors.
 */
function withoutConstructor({ source, isValue }) {
  return source.replace(
    /([ \t]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?^[ \t]*constructor\([\s\S]*?\);\n/gm,
    (whole, comment) =>
      isValue && !comment?.includes('/** Use `') ? whole : '    protected constructor();\n',
  );
}

function textOf({ statements }) {
  const kept = statements.filter(statement => statement.kept || statement.code === 'export {};');
  return kept
    .map(statement => {
      if (statement.names === undefined) return `${withoutConstructor(statement)}\n`;
      const { kind, onlyTypes, from, names } = statement;
      const used = names.filter(name => name.kept);
      const [first] = used;
      if (!statement.code.includes('{')) return `${statement.source}\n`;
      const usual = first.there === 'default' ? first.here : undefined;
      const listed = used
        .filter(({ there }) => there !== 'default')
        .map(
          ({ here, there, isType }) =>
            `${isType ? 'type ' : ''}${there}${here === there ? '' : ` as ${here}`}`,
        );
      const list = [usual, listed.length > 0 ? `{ ${listed.join(', ')} }` : undefined]
        .filter(Boolean)
        .join(', ');
      return `${kind} ${onlyTypes ? 'type ' : ''}${list} from '${from}';\n`;
    })
    .join('');
}

/**
 * Functions whose comment only names the method of a scene that asks the same (See `Scene.distance`) get the comment of that method, from
 * the first of some classes' declarations that has it.
 */
export function documentQuestions(folder, classes) {
  const texts = classes.map(name => readFileSync(join(folder, `${name}.d.ts`), 'utf8'));
  const commentOf = method => {
    const pattern = new RegExp(`(\\/\\*\\*(?:(?!\\*\\/)[\\s\\S])*\\*\\/)\\s+${method}(?:<[^(]*>)?\\(`);
    for (const text of texts) {
      const found = pattern.exec(text);
      if (found !== null) return found[1].replace(/^ {4}/gm, '');
    }
    throw new Error(`no class says what ${method} answers`);
  };
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const documented = text.replace(
      /\/\*\* (?:See )?`[Ss]cene\.(\w+)`[^\n]{0,40} \*\/(?=\nexport declare function \1\b)/g,
      (_, method) => commentOf(method),
    );
    if (documented !== text) writeFileSync(path, documented);
  }
}
