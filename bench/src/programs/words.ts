// Parses the arguments of a program. `--help` prints its usage; unknown arguments end it with one line.

import { type ParseArgsConfig, parseArgs } from 'node:util';

export interface Words {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly scenes: readonly string[];
}

/** `known` are the names of the scenes. */
export function readWords(
  usage: string,
  options: NonNullable<ParseArgsConfig['options']>,
  known: readonly string[],
): Words {
  const help = { help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { ...options, ...help } });
    if (values.help) {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    }
    const unknown = positionals.find(name => !known.includes(name));
    if (unknown !== undefined) throw new Error(`there is no scene '${unknown}'`);
    return { values: values as Words['values'], scenes: positionals };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`);
    process.exit(2);
  }
}
