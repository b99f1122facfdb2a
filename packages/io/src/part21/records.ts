// Which records does an exchange file of ISO 10303-21 have? IFC and STEP files are such text: `#12=NAME(…);`. The text
// is scanned once and every record is found and checked; the arguments of a record are parsed when they are asked for.

import { badFile, quoted } from '../reading/file-error.ts';
import { listOf, type Part, parseParts, textOf, type Value } from './values.ts';

const letters = {
  hash: 35,
  quote: 39,
  open: 40,
  close: 41,
  star: 42,
  slash: 47,
  semicolon: 59,
  equals: 61,
};

/** Lists within lists. Programs write three or four. */
const mostNested = 100;

/** If a record has more letters than this, its parts are kept once they are parsed. */
const longRecord = 1000;

/** The records of one file. */
export class Records {
  /** The numbers of the records of each name, in file order. A record of several parts is listed under each of them. */
  private readonly byName = new Map<string, number[]>();
  private readonly places = new Map<number, { readonly start: number; readonly end: number }>();
  /** The parts of long records that were asked for. Many records can refer to a long one, which is parsed once. */
  private readonly long = new Map<number, readonly Part[]>();
  /** Numbers that were referred to before their records came. */
  private readonly awaited = new Set<number>();
  /** What is odd about the file: a phrase each. */
  readonly warnings: string[] = [];
  /** The name of the schema that the records follow, such as `IFC4`; empty if the header does not say. */
  readonly schema: string;

  constructor(
    private readonly file: string,
    private readonly bytes: Uint8Array,
  ) {
    this.schema = this.scan().toUpperCase();
    const missing = [...this.awaited];
    if (missing.length > 0) {
      const more = missing.length > 1 ? ` and ${missing.length - 1} others` : '';
      this.warnings.push(`it refers to record #${missing[0]}${more}, which it does not have`);
    }
  }

  /** The numbers of all records with a name (upper case), in file order. */
  named(name: string): readonly number[] {
    return this.byName.get(name) ?? [];
  }

  /** The parts of a record: one, or several if the record is `(A(…) B(…))`. None if the file has no such record. */
  parts(id: number): readonly Part[] {
    const known = this.long.get(id);
    if (known) return known;
    const place = this.places.get(id);
    if (place === undefined) return [];
    const { start, end } = place;
    const parts = parseParts(this.file, this.bytes, start, end);
    if (end - start > longRecord) this.long.set(id, parts);
    return parts;
  }

  /** The arguments of the part called `name` of a record. */
  arguments(id: number, name: string): readonly Value[] | undefined {
    return this.parts(id).find(part => part.name === name)?.args;
  }

  /** A record of one part. */
  record(id: number): Part | undefined {
    const parts = this.parts(id);
    return parts.length === 1 ? parts[0] : undefined;
  }

  /** Finds all records. Returns the name of the schema. */
  private scan(): string {
    const { file, bytes } = this;
    let schema = '';
    let at = this.expect(this.skipSpace(0), 'ISO-10303-21;', 'the file does not begin with "ISO-10303-21;"');
    let sections = 0;
    for (;;) {
      at = this.skipSpace(at);
      const section = this.word(at);
      if (section === 'END-ISO-10303-21') break;
      at = this.endOfStatement(at);
      if (section === 'DATA') {
        sections++;
        at = this.scanData(at);
      } else {
        // The header, and the sections of newer editions, have statements that end in ENDSEC.
        if (section === 'REFERENCE') this.refuseReferences(at);
        for (;;) {
          at = this.skipSpace(at);
          const name = this.word(at);
          const start = at;
          at = this.endOfStatement(at);
          if (name === 'ENDSEC') break;
          if (name === 'FILE_SCHEMA') {
            const [{ args }] = parseParts(file, bytes, start, at - 1);
            schema = textOf(listOf(args[0])[0]) ?? '';
          }
        }
      }
    }
    if (sections === 0) badFile(file, '', 'the file has no DATA section');
    at = this.skipSpace(this.endOfStatement(at));
    for (; at < bytes.length; at++) {
      if (bytes[at] !== 0 && bytes[at] !== 26) this.fail(at, 'the file goes on after its end');
    }
    return schema;
  }

  private refuseReferences(at: number): void {
    const named = this.skipSpace(at);
    if (this.bytes[named] === letters.hash) {
      badFile(this.file, this.line(named), 'the file refers to records of other files, which are not read');
    }
  }

  /** `#12 = NAME(…);` until ENDSEC. */
  private scanData(from: number): number {
    const { bytes, places } = this;
    let at = from;
    for (;;) {
      at = this.skipSpace(at);
      if (bytes[at] !== letters.hash) {
        if (this.word(at) === 'ENDSEC') return this.endOfStatement(at);
        this.fail(at, at < bytes.length ? 'a record must begin with #' : 'the file ends early');
      }
      const begin = at++;
      let id = 0;
      for (; bytes[at] >= 48 && bytes[at] <= 57; at++) id = 10 * id + bytes[at] - 48;
      if (id === 0 || id > 0xffffffff) this.fail(begin, 'the number of a record is not from 1 to 4294967295');
      at = this.skipSpace(at);
      if (bytes[at] !== letters.equals) this.fail(at, `record #${id} has no =`);
      const start = this.skipSpace(at + 1);
      at = this.endOfStatement(start);
      if (places.has(id)) this.fail(begin, `record #${id} occurs twice`);
      places.set(id, { start, end: at - 1 });
      this.awaited.delete(id);
      this.list(id, start, at - 1);
    }
  }

  /** Enters a record under its name, or under the name of each of its parts. */
  private list(id: number, start: number, end: number): void {
    const enter = (name: string) => {
      const ids = this.byName.get(name);
      if (ids) ids.push(id);
      else this.byName.set(name, [id]);
    };
    if (this.bytes[start] === letters.open) {
      for (const { name } of parseParts(this.file, this.bytes, start, end)) enter(name);
      return;
    }
    const name = this.word(start);
    const after = this.skipSpace(start + name.length);
    if (name === '' || this.bytes[after] !== letters.open) this.fail(start, `record #${id} has no NAME(…)`);
    enter(name);
  }

  /** The place after the next `;` that is not in a string or a comment. Counts parentheses on the way. */
  private endOfStatement(from: number): number {
    const { bytes } = this;
    let depth = 0;
    let at = from;
    for (; at < bytes.length; at++) {
      const letter = bytes[at];
      if (letter === letters.quote) at = this.endOfString(at);
      else if (letter === letters.slash && bytes[at + 1] === letters.star) at = this.endOfComment(at);
      else if (letter === letters.open) {
        if (++depth > mostNested) this.fail(at, `lists are nested more than ${mostNested} deep`);
      } else if (letter === letters.close) {
        if (--depth < 0) this.fail(at, 'a ) has no (');
      } else if (letter === letters.semicolon) {
        if (depth > 0) this.fail(at, 'a ( is not closed');
        return at + 1;
      } else if (letter === letters.hash) {
        let id = 0;
        for (; bytes[at + 1] >= 48 && bytes[at + 1] <= 57; at++) id = 10 * id + bytes[at + 1] - 48;
        if (!this.places.has(id)) this.awaited.add(id);
      } else if (letter === letters.equals && depth > 0) this.fail(from, 'a statement has no ; at its end');
    }
    return this.fail(from, 'the file ends early');
  }

  /** The place of the quote that ends a string. Two quotes in a row are one in the text. */
  private endOfString(from: number): number {
    for (let at = from + 1; at < this.bytes.length; at++) {
      if (this.bytes[at] !== letters.quote) continue;
      if (this.bytes[at + 1] !== letters.quote) return at;
      at++;
    }
    return this.fail(from, 'a string is not closed');
  }

  /** The place of the slash that ends a comment. */
  private endOfComment(from: number): number {
    for (let at = from + 3; at < this.bytes.length; at++) {
      if (this.bytes[at] === letters.slash && this.bytes[at - 1] === letters.star) return at;
    }
    return this.fail(from, 'a comment is not closed');
  }

  private skipSpace(from: number): number {
    const { bytes } = this;
    let at = from;
    for (;;) {
      if (bytes[at] <= 32) at++;
      else if (bytes[at] === letters.slash && bytes[at + 1] === letters.star) at = this.endOfComment(at) + 1;
      else if (at === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) at = 3;
      else return at;
    }
  }

  /** A name or keyword in upper case: letters, digits, `_` and `-`. Empty if there is none. */
  private word(from: number): string {
    let end = from;
    while (end < this.bytes.length && end - from < 128 && isWord(this.bytes[end])) end++;
    return String.fromCharCode(...this.bytes.subarray(from, end)).toUpperCase();
  }

  private expect(from: number, text: string, otherwise: string): number {
    const found = String.fromCharCode(...this.bytes.subarray(from, from + text.length));
    if (found !== text) this.fail(from, `${otherwise}, but with ${quoted(found)}`);
    return from + text.length;
  }

  private fail(at: number, what: string): never {
    return badFile(this.file, this.line(at), what);
  }

  private line(at: number): string {
    let line = 1;
    const end = Math.min(at, this.bytes.length);
    for (let i = 0; i < end; i++) if (this.bytes[i] === 10) line++;
    return `line ${line}`;
  }
}

const isWord = (letter: number): boolean =>
  (letter >= 65 && letter <= 90) ||
  (letter >= 97 && letter <= 122) ||
  (letter >= 48 && letter <= 57) ||
  letter === 95 ||
  letter === 45;
