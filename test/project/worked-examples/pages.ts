// The worked examples of docs/contributing, as steps that a program can follow: files to add, places to change, commands to run.
// A line before each block says which it is:
//   New file `PATH`:                        the whole file
//   Change `PATH`:                          lines with + come, lines with - go, the others stay; @@ separates places
//   Run:                                    commands that succeed
//   Run, and it fails with `WORDS`:         a command that fails and prints these words

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** In this order: the kernel is that of the question. */
export const pages = ['add-a-format', 'add-a-question', 'add-a-kernel'] as const;
export type Page = (typeof pages)[number];

export type Step =
  | { readonly kind: 'new'; readonly path: string; readonly text: string }
  | { readonly kind: 'change'; readonly path: string; readonly places: readonly Place[] }
  | { readonly kind: 'run'; readonly commands: readonly string[]; readonly failure: string | undefined };

/** Some lines of a file, and what they become. */
export interface Place {
  readonly before: string;
  readonly after: string;
}

const block =
  /^(?:(New file|Change) `([^`]+)`|Run(?:, and it fails with `([^`]+)`)?):\n\n```\w+\n([\s\S]*?)^```$/gm;

export function stepsOf(page: Page): Step[] {
  const text = readFileSync(join(root, `docs/contributing/${page}.md`), 'utf8');
  const steps = Array.from(text.matchAll(block), ([, what, path, failure, body]): Step => {
    if (what === 'New file') return { kind: 'new', path, text: body };
    if (what === 'Change') return { kind: 'change', path, places: placesOf(body) };
    return { kind: 'run', commands: body.trimEnd().split('\n'), failure };
  });
  // A line of a block that looks like a fence would end the block.
  const fences = text.match(/^ {0,3}```/gm)?.length ?? 0;
  if (fences !== 2 * steps.length)
    throw new Error(`${page}: ${fences / 2} blocks, but only ${steps.length} say what they are for`);
  return steps;
}

function placesOf(diff: string): Place[] {
  return diff.split(/^@@\n/m).map(part => {
    const lines = part.trimEnd().split('\n');
    const without = (sign: string) =>
      lines.filter(line => !line.startsWith(sign)).map(line => `${line.slice(1)}\n`);
    return { before: without('+').join(''), after: without('-').join('') };
  });
}

/** The files that exist only after the steps of a page. */
export const filesMadeBy = (page: Page): string[] =>
  stepsOf(page).flatMap(step => {
    if (step.kind === 'run') return movesOf(step.commands).map(([, to]) => to);
    return step.kind === 'new' ? step.path : [];
  });

/** What `mv` moves where. */
const movesOf = (commands: readonly string[]): [from: string, to: string][] =>
  commands.flatMap(command => {
    const [, from, to] = /^mv (\S+) (\S+)$/.exec(command) ?? [];
    return from === undefined ? [] : [[from, to]];
  });

/** Where the steps are followed. */
export interface Files {
  exists(path: string): boolean;
  read(path: string): string;
  write(path: string, text: string): void;
  move(from: string, to: string): void;
  remove(path: string): void;
}

/** Does what a step says to files. Throws if it does not fit them. Commands are left to the caller, but for `mv`. */
export function follow(step: Step, files: Files): void {
  if (step.kind === 'new') {
    if (files.exists(step.path)) throw new Error(`${step.path} is not new`);
    files.write(step.path, step.text);
  } else if (step.kind === 'change') {
    for (const { before, after } of step.places) replaceOnce(files, step.path, before, after);
  } else for (const [from, to] of movesOf(step.commands)) files.move(from, to);
}

/** Takes back the steps of pages that were followed in this tree already, so that the tests still run. */
export function takeBack(files: Files): void {
  for (const page of pages.toReversed())
    if (filesMadeBy(page).some(path => files.exists(path)))
      for (const step of stepsOf(page).toReversed()) unfollow(step, files);
}

function unfollow(step: Step, files: Files): void {
  if (step.kind === 'new') {
    if (files.read(step.path) !== step.text) throw new Error(`${step.path} is not as its page has it`);
    files.remove(step.path);
  } else if (step.kind === 'change') {
    for (const { before, after } of step.places.toReversed()) replaceOnce(files, step.path, after, before);
  } else for (const [from, to] of movesOf(step.commands).reverse()) files.move(to, from);
}

function replaceOnce(files: Files, path: string, before: string, after: string): void {
  const text = files.read(path);
  const count = text.split(before).length - 1;
  if (count !== 1) throw new Error(`${path} has these lines ${count} times, not once:\n${before}`);
  files.write(
    path,
    text.replace(before, () => after),
  );
}

/** The files of a folder, changed on disk. */
export const filesIn = (folder: string): Files => ({
  exists: path => existsSync(join(folder, path)),
  read: path => readFileSync(join(folder, path), 'utf8'),
  write(path, text) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  },
  move(from, to) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    renameSync(join(folder, from), join(folder, to));
  },
  remove: path => rmSync(join(folder, path)),
});

/** The files of this repository, changed in memory alone. A file that is gone is undefined. */
export function imagined(): Files {
  const disk = filesIn(root);
  const changed = new Map<string, string | undefined>();
  const exists = (path: string) => (changed.has(path) ? changed.get(path) !== undefined : disk.exists(path));
  const read = (path: string) => {
    if (!exists(path)) throw new Error(`there is no ${path}`);
    return changed.get(path) ?? disk.read(path);
  };
  return {
    exists,
    read,
    write: (path, text) => changed.set(path, text),
    move(from, to) {
      changed.set(to, read(from));
      changed.set(from, undefined);
    },
    remove: path => changed.set(path, undefined),
  };
}
