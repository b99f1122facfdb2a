// A small XML text as a tree of elements, for formats that are read as a whole and have no text between tags.

import type { Budget } from '../reading/budget.ts';
import { badFile } from '../reading/file-error.ts';
import { XmlReader } from './xml-reader.ts';

export interface XmlNode {
  /** The name with its prefix, as written. */
  readonly name: string;
  /** By name with its prefix. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
  /** True if there is text between the tags. */
  readonly hasText: boolean;
  /** Where it begins, for messages: `line 12`. */
  readonly place: string;
}

/** An element without its attributes, and an attribute without its letters. */
const nodeBytes = 256;
const attributeBytes = 64;

/** Reads a text into its root element. `place` says which text of the file this is; empty for the file itself. */
export async function readXmlTree(
  file: string,
  place: string,
  bytes: Uint8Array,
  budget: Budget,
): Promise<XmlNode> {
  let root: XmlNode | undefined;
  const open: { children: XmlNode[]; hasText: boolean }[] = [];
  const reader: XmlReader = await XmlReader.open(file, place, {
    open(element) {
      const attributes = new Map<string, string>();
      let letters = 0;
      for (const { name, value } of Object.values(element.attributes)) {
        attributes.set(name, value);
        letters += name.length + value.length;
      }
      budget.spend(nodeBytes + attributeBytes * attributes.size + 2 * letters, reader.here);
      const node = { name: element.name, attributes, children: [], hasText: false, place: reader.here };
      open.at(-1)?.children.push(node);
      root ??= node;
      open.push(node);
    },
    close() {
      open.pop();
    },
    text(text) {
      const node = open.at(-1);
      if (node && text.trim() !== '') node.hasText = true;
    },
  });
  reader.write(bytes);
  reader.end();
  return root ?? badFile(file, place, 'the XML has no element');
}

/** The children of one name. */
export const childrenOf = (node: XmlNode, name: string): XmlNode[] =>
  node.children.filter(child => child.name === name);
