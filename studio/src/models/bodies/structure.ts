// The bodies as a tree: files, the structure that the files give (IFC storeys, STEP products, glTF nodes), bodies.

import type { BodyId, FileData } from '../../engine/types.ts';
import type { DocumentBody } from '../../state/document.ts';

export interface TreeGroup {
  readonly kind: 'group';
  /** Unique, and the same as long as the structure is. */
  readonly key: string;
  readonly label: string;
  /** 1 is the outermost. */
  readonly level: number;
  /** All bodies below it. */
  readonly ids: readonly BodyId[];
  readonly isFile: boolean;
}

export interface TreeBody {
  readonly kind: 'body';
  readonly key: string;
  readonly level: number;
  readonly body: DocumentBody;
}

export type TreeItem = TreeGroup | TreeBody;

interface Node {
  readonly label: string;
  readonly key: string;
  readonly isFile: boolean;
  readonly groups: Map<string, Node>;
  /** Groups and bodies in the order of the document. */
  readonly children: (Node | DocumentBody)[];
}

/** What a tree is made of. */
export interface TreeBodies {
  readonly bodies: readonly DocumentBody[];
  readonly files: readonly Pick<FileData, 'name' | 'robot'>[];
}

/** All items from top to bottom, without those in closed groups. */
export function treeItems({ bodies, files }: TreeBodies, closed: ReadonlySet<string>): TreeItem[] {
  // The links of a robot carry one another; none is a part of another.
  const robots = new Set(files.flatMap(({ name, robot }) => (robot ? [name] : [])));
  const root = nodeOf('', '', false);
  const perFile = new Map<string, number>();
  for (const { file = '' } of bodies) perFile.set(file, (perFile.get(file) ?? 0) + 1);
  for (const body of bodies) {
    const { file, origin } = body;
    const isAlone = file === undefined || perFile.get(file) === 1;
    let at = isAlone ? root : childOf(root, file, true);
    // The last name is the body's own.
    const { path = [], pathNodes } = origin;
    if (!isAlone && !(file !== undefined && robots.has(file)))
      for (const [i, name] of path.slice(0, -1).entries()) at = childOf(at, name, false, pathNodes?.[i]);
    at.children.push(body);
  }
  const items: TreeItem[] = [];
  list(root, 0, closed, items);
  return items;
}

function nodeOf(label: string, key: string, isFile: boolean): Node {
  return { label, key, isFile, groups: new Map(), children: [] };
}

/** `number` tells groups of one name apart. */
function childOf(parent: Node, label: string, isFile: boolean, number?: number): Node {
  const own = number === undefined ? label : `${label}#${number}`;
  let child = parent.groups.get(own);
  if (child === undefined) {
    child = nodeOf(label, `${parent.key}/${own}`, isFile);
    parent.groups.set(own, child);
    parent.children.push(child);
  }
  return child;
}

function list(node: Node, level: number, closed: ReadonlySet<string>, items: TreeItem[]): BodyId[] {
  const ids: BodyId[] = [];
  for (const child of node.children) {
    if (!('groups' in child)) {
      ids.push(child.id);
      items.push({ kind: 'body', key: String(child.id), level: level + 1, body: child });
      continue;
    }
    // A chain of groups with nothing else in them is one line.
    let [end, label] = [child, child.label];
    while (end.children.length === 1 && 'groups' in end.children[0]) {
      end = end.children[0];
      label = `${label} / ${end.label}`;
    }
    const at = items.length;
    const group = { kind: 'group', key: end.key, label, level: level + 1, isFile: child.isFile } as const;
    items.push({ ...group, ids: [] });
    const below = list(end, level + 1, closed, items);
    items[at] = { ...group, ids: below };
    if (closed.has(end.key)) items.length = at + 1;
    ids.push(...below);
  }
  return ids;
}

/** The keys of the groups around a body, whether they are open or not. */
export function groupsAround(all: TreeBodies, id: BodyId): string[] {
  const items = treeItems(all, new Set());
  return items.flatMap(item => (item.kind === 'group' && item.ids.includes(id) ? [item.key] : []));
}
