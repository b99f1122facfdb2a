// Which bodies of a robot may meet? Links that a joint connects do by design, and an SRDF names the pairs that its
// author has found never or always to meet (MoveIt).

import type { AllowedPair } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import { badFile, quoted } from '../reading/file-error.ts';
import { childrenOf, readXmlTree, type XmlNode } from '../xml/xml-tree.ts';
import type { RobotJoint } from './robot.ts';

const pairBytes = 96;

/** Pairs by index, each once, the first reason kept. */
export class Allowed {
  private readonly pairs = new Map<string, AllowedPair>();

  constructor(private readonly budget: Budget) {}

  add(a: number, b: number, reason: string): void {
    if (a === b) return;
    const [low, high] = a < b ? [a, b] : [b, a];
    const key = `${low} ${high}`;
    if (this.pairs.has(key)) return;
    this.budget.spend(pairBytes + 2 * reason.length, '');
    this.pairs.set(key, { a: low, b: high, reason });
  }

  remove(a: number, b: number): void {
    this.pairs.delete(a < b ? `${a} ${b}` : `${b} ${a}`);
  }

  /** Sorted by indices. */
  finish(): AllowedPair[] {
    return [...this.pairs.values()].sort((one, other) => one.a - other.a || one.b - other.b);
  }
}

/** Neighbours: the two links of a joint. Two bodies are neighbours also if only links without a body lie between them. */
export function allowNeighbours(
  allowed: Allowed,
  joints: readonly RobotJoint[],
  bodyOf: ReadonlyMap<string, number>,
): void {
  // Per link the nearest body at or above it. Joints come after those that move their parents.
  const nearest = new Map<string, number>(bodyOf);
  for (const { name, parent, child } of joints) {
    const above = nearest.get(parent);
    if (above === undefined) continue;
    const own = bodyOf.get(child);
    if (own === undefined) nearest.set(child, above);
    else {
      const over = bodyOf.has(parent) ? '' : ', over links without a shape';
      allowed.add(above, own, `joined by ${name}${over}`);
    }
  }
}

/** Reads an SRDF: `disable_collisions`, and `disable_default_collisions` with its exceptions. Returns warnings. */
export async function allowFromSrdf(
  file: string,
  bytes: Uint8Array,
  links: { has(name: string): boolean },
  bodyOf: ReadonlyMap<string, number>,
  allowed: Allowed,
  budget: Budget,
): Promise<string[]> {
  budget.hold(bytes.length);
  const root = await readXmlTree(file, 'the SRDF', bytes, budget);
  if (root.name !== 'robot')
    badFile(file, root.place, `an SRDF must begin with <robot>, not with <${root.name.slice(0, 60)}>`);
  const unknown = new Set<string>();
  const bodyAt = (node: XmlNode, attribute: string): number | undefined => {
    const name =
      node.attributes.get(attribute) ?? badFile(file, node.place, `<${node.name}> has no ${attribute}`);
    if (!links.has(name)) unknown.add(name);
    return bodyOf.get(name);
  };
  for (const node of childrenOf(root, 'disable_default_collisions')) {
    const body = bodyAt(node, 'link');
    if (body === undefined) continue;
    for (const other of bodyOf.values()) allowed.add(body, other, 'SRDF: disabled by default');
  }
  for (const node of childrenOf(root, 'enable_collisions')) {
    const [a, b] = [bodyAt(node, 'link1'), bodyAt(node, 'link2')];
    if (a !== undefined && b !== undefined) allowed.remove(a, b);
  }
  for (const node of childrenOf(root, 'disable_collisions')) {
    const [a, b] = [bodyAt(node, 'link1'), bodyAt(node, 'link2')];
    const reason = node.attributes.get('reason') || 'disabled';
    if (a !== undefined && b !== undefined) allowed.add(a, b, `SRDF: ${reason}`);
  }
  if (unknown.size === 0) return [];
  const [first] = unknown;
  const others = unknown.size > 1 ? ` and ${unknown.size - 1} others` : '';
  return [`${file}: the SRDF names links that the robot does not have: ${quoted(first)}${others}`];
}
