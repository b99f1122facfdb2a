// What pages say about downloads, read when the site is built.
import { archiveOf, examples, packages, sources } from '../../archives.mjs';

export interface Downloads {
  readonly archiveOf: Readonly<Record<string, string>>;
  readonly examples: Readonly<Record<string, readonly string[]>>;
  readonly packages: Readonly<Record<string, readonly string[]>>;
  readonly sources: string;
}
export declare const data: Downloads;
export default { load: (): Downloads => ({ archiveOf, examples, packages, sources }) };
