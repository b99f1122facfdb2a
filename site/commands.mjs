// What every command of the command line prints with `--help`, as Markdown. The site's build runs this as a program, so that the output is
// no terminal, whose width would be that of the lines. It calls the built program as a function: some 30 starts of it take long.

import { readFileSync } from 'node:fs';

const built = new URL('../packages/cli/dist/', import.meta.url);
// The file that main.js loads when it has done everything that concerns the process.
const [, file] = /\bimport\("\.\/(run-\w+\.js)"\)/.exec(readFileSync(new URL('main.js', built), 'utf8'));
const { run } = await import(new URL(file, built).href);

const top = await help([]);
const sections = [];
for (const name of commandsIn(top)) {
  const text = await help([name]);
  sections.push(section([name], text));
  if (!text.includes('\nCommands:')) continue;
  for (const word of commandsIn(text)) sections.push(section([name, word], await help([name, word])));
}
process.stdout.write(
  `# Every command and option\n\nThis is what the program itself prints with \`--help\`.\n\n${block(top)}\n${sections.join('\n')}`,
);

async function help(words) {
  let printed = '';
  const status = await run([...words, '--help'], {
    out: text => {
      printed += text;
    },
    err: text => process.stderr.write(text),
    interactive: false,
    columns: 80,
    cwd: process.cwd(),
    signal: new AbortController().signal,
  });
  if (status !== 0) throw new Error(`nearfield ${words.join(' ')} --help: status ${status}`);
  return printed;
}

function section(words, text) {
  return `## nearfield ${words.join(' ')}\n\n${block(text)}`;
}

function block(text) {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
}

/** The names of the commands that a help text lists. */
function commandsIn(text) {
  const [, list] = /\nCommands:\n((?: .*\n)+)/.exec(text);
  return Array.from(list.matchAll(/^ {2}([a-z]+) /gm), ([, name]) => name).filter(name => name !== 'help');
}
