// Which elements does an untrusted XML text have? The `saxes` package finds them one by one, so a large text is never
// held as a tree. It checks well-formedness in full, and it expands nothing but the five entities of XML itself and
// numbered characters. A document type is refused, because only its entities could make a small file large or lead to
// other files. The package is loaded when a file first needs it.

import type { SaxesParser, SaxesTagNS } from 'saxes';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';

/** The formats read here are less than ten elements deep. */
const deepest = 64;
/** More than any element of them has. */
const mostAttributes = 256;
/** Bytes per call of the parser. */
const pieceBytes = 1 << 16;

export type XmlElement = SaxesTagNS;

export interface XmlHandler {
  open(element: XmlElement): void;
  close(element: XmlElement): void;
  /** Text between tags; a long text may come in pieces. */
  text?(text: string): void;
}

export class XmlReader {
  private decoder: TextDecoder | undefined;
  private depth = 0;
  private begun = false;
  private blankLines = 0;

  /** `place` says which text of the file this is; empty if it is the file itself. */
  static async open(file: string, place: string, handler: XmlHandler): Promise<XmlReader> {
    const { SaxesParser } = await import('saxes');
    return new XmlReader(file, place, new SaxesParser({ xmlns: true }), handler);
  }

  private constructor(
    private readonly file: string,
    private readonly place: string,
    private readonly parser: SaxesParser<{ xmlns: true }>,
    handler: XmlHandler,
  ) {
    parser.on('error', error => this.fail(error.message.replace(/^[\d:]+ /, '').replace(/\.$/, '')));
    parser.on('doctype', () =>
      this.fail('the XML has a document type (<!DOCTYPE …>), which is not allowed here'),
    );
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding && !/^(utf-?8|utf-?16|us-ascii|ascii)$/i.test(encoding))
        unsupportedFile(file, this.here, `the encoding ${quoted(encoding)} is not supported; use UTF-8`);
    });
    let attributeCount = 0;
    parser.on('opentagstart', () => {
      attributeCount = 0;
      if (++this.depth > deepest) this.fail(`elements are nested more than ${deepest} deep`);
    });
    parser.on('attribute', () => {
      if (++attributeCount > mostAttributes)
        this.fail(`an element has more than ${mostAttributes} attributes`);
    });
    parser.on('opentag', element => handler.open(element));
    parser.on('closetag', element => {
      this.depth--;
      handler.close(element);
    });
    if (handler.text) parser.on('text', text => handler.text?.(text));
  }

  /** The line that was read last. */
  get here(): string {
    const line = `line ${this.parser.line + this.blankLines}`;
    return this.place === '' ? line : `${this.place}: ${line}`;
  }

  /** Throws `bad-file` and names the line. */
  fail(what: string): never {
    return badFile(this.file, this.here, what);
  }

  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const text = this.decode(bytes.subarray(at, at + pieceBytes));
      this.parser.write(this.begun ? text : this.begin(text));
    }
  }

  /** Refuses a text that ends too early. */
  end(): void {
    this.parser.write(this.decode(undefined));
    this.parser.close();
  }

  /** Skips white space before the declaration, which XML forbids there and people leave there. */
  private begin(text: string): string {
    const trimmed = text.trimStart();
    this.begun = trimmed !== '';
    this.blankLines += text.slice(0, text.length - trimmed.length).split('\n').length - 1;
    return trimmed;
  }

  private decode(bytes: Uint8Array | undefined): string {
    try {
      return this.decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch {
      return this.fail(`the text is not valid ${this.decoder?.encoding.toUpperCase()}`);
    }
  }
}

/** UTF-8, unless the byte order mark of UTF-16 comes first. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** `<vertex>`: an element in a message. */
export const tag = ({ name }: XmlElement): string => `<${name.length > 60 ? `${name.slice(0, 57)}…` : name}>`;

/** The value of an attribute without a prefix. */
export const attribute = (element: XmlElement, name: string): string | undefined =>
  Object.hasOwn(element.attributes, name) ? element.attributes[name].value : undefined;

/** The value of an attribute of the namespace `uri`, whatever its prefix. */
export function attributeOf(element: XmlElement, uri: string, local: string): string | undefined {
  for (const name in element.attributes) {
    const given = element.attributes[name];
    if (given.uri === uri && given.local === local) return given.value;
  }
  return undefined;
}

/** A decimal number as XML writes it, or NaN. `Number` alone would also read hexadecimal numbers and an empty text. */
export const xmlNumber = (text: string): number =>
  /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;

/** Numbers between white space, or undefined if one of them is none or not finite, or their number is not `count`. */
export function xmlNumbers(text: string, count: number): number[] | undefined {
  const words = text.trim().split(/\s+/, count + 1);
  const numbers = words.map(xmlNumber);
  return words.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}
