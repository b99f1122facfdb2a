// In which format is an answer written? The extension of `--out` decides.

import { extname } from 'node:path';
import { NearfieldError } from 'nearfield';

const byExtension = {
  '.txt': 'table',
  '.json': 'json',
  '.csv': 'csv',
  '.xml': 'junit',
  '.bcf': 'bcf',
  '.bcfzip': 'bcf',
  '.glb': 'glb',
  '.html': 'report',
  '.htm': 'report',
} as const;

export type OutFormat = (typeof byExtension)[keyof typeof byExtension];

/** For the help. */
export const outHelp =
  'write the answer to a file; the extension decides: .txt (table), .json, .csv, .xml (JUnit), .bcf, .glb (clashes), .html (report); may be repeated';

/** A name without an extension, such as a pipe, gets what stdout would. */
export function formatOf(out: string, json: boolean): OutFormat {
  const extension = extname(out).toLowerCase();
  if (extension === '') return json ? 'json' : 'table';
  if (!Object.hasOwn(byExtension, extension)) {
    throw new NearfieldError(
      'bad-option',
      `--out ${out}: the extension decides the format; known are ${Object.keys(byExtension).join(', ')}`,
    );
  }
  return byExtension[extension as keyof typeof byExtension];
}
