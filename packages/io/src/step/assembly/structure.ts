// Which parts does an assembly of a STEP file use, and how often? Assemblies use parts, which may be assemblies: a small
// file can ask for any number of instances, or for a part within itself. Both are found before anything is built.

import { identity, multiplyPoses, type Pose } from 'nearfield';
import type { PartName } from '../../facts/part-path.ts';
import type { Records } from '../../part21/records.ts';
import { refOf, textOf } from '../../part21/values.ts';
import { badFile } from '../../reading/file-error.ts';

const useName = 'NEXT_ASSEMBLY_USAGE_OCCURRENCE';

/** One use of a part in an assembly. Both are product definitions, by the numbers of their records. */
export interface Use {
  readonly id: number;
  readonly whole: number;
  readonly part: number;
}

/** The product structure of one file. */
export class Structure {
  private readonly parts = new Map<number, Use[]>();
  private readonly wholes = new Map<number, number[]>();

  constructor(
    private readonly file: string,
    private readonly records: Records,
  ) {
    for (const id of records.named(useName)) {
      const args = records.arguments(id, useName);
      const whole = refOf(args?.[3]);
      const part = refOf(args?.[4]);
      if (whole === undefined || part === undefined) continue;
      append(this.parts, whole, { id, whole, part });
      append(this.wholes, part, whole);
    }
  }

  /** The uses of parts in an assembly, in file order. */
  partsOf(definition: number): readonly Use[] {
    return this.parts.get(definition) ?? [];
  }

  /** The number of instances of all parts and assemblies. Refuses a file in which an assembly contains itself. */
  countInstances(): number {
    /** The number of instances in one product, itself included. 0 while it is being counted. */
    const sizes = new Map<number, number>();
    for (const first of this.parts.keys()) {
      const stack = [first];
      while (stack.length > 0) {
        const at = stack[stack.length - 1];
        const uses = this.partsOf(at);
        const open = sizes.has(at) ? undefined : uses.filter(({ part }) => !sizes.get(part));
        if (open === undefined) {
          stack.pop();
          if (sizes.get(at) === 0)
            sizes.set(
              at,
              uses.reduce((sum, { part }) => sum + sizes.get(part)!, 1),
            );
          continue;
        }
        sizes.set(at, 0);
        for (const { part } of open) {
          if (sizes.get(part) === 0) badFile(this.file, `#${part}`, 'the assembly contains itself');
          stack.push(part);
        }
      }
    }
    let instances = 0;
    for (const [product, size] of sizes) if (!this.wholes.has(product)) instances += size;
    return instances;
  }

  /**
   * Every instance of the products that are asked for, with its name and its pose. A product that no assembly uses is an
   * instance by itself. Call `countInstances` first: it refuses loops.
   */
  *instancesOf(asked: ReadonlySet<number>, poseOf: (use: Use) => Pose): Generator<Instance> {
    const leading = this.leadingTo(asked);
    const stack: Instance[] = [];
    for (const definition of [...leading].filter(id => !this.wholes.has(id)).reverse())
      stack.push({
        definition,
        name: { name: this.nameOf(definition), parent: undefined },
        pose: identity(),
      });
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (asked.has(at.definition)) yield at;
      const uses = this.partsOf(at.definition);
      for (let i = uses.length - 1; i >= 0; i--) {
        const use = uses[i];
        if (!leading.has(use.part)) continue;
        const pose = multiplyPoses(at.pose, poseOf(use));
        if (!pose.every(Number.isFinite))
          badFile(this.file, `#${use.id}`, 'the product of the placements down to it is not finite');
        const name = { name: this.nameOf(use.part), parent: at.name };
        stack.push({ definition: use.part, name, pose });
      }
    }
  }

  /** The products and everything that contains one of them, in any order. */
  private leadingTo(asked: ReadonlySet<number>): Set<number> {
    const leading = new Set(asked);
    // A set may grow while it is walked.
    for (const id of leading) for (const whole of this.wholes.get(id) ?? []) leading.add(whole);
    return leading;
  }

  private readonly names = new Map<number, string>();

  /** The name of the product of a definition; empty if it has none. */
  nameOf(definition: number): string {
    let name = this.names.get(definition);
    if (name === undefined) {
      const formation = refOf(argumentsOf(this.records, definition)?.[2]);
      const product = refOf(argumentsOf(this.records, formation)?.[2]);
      const args = product === undefined ? undefined : this.records.arguments(product, 'PRODUCT');
      name = textOf(args?.[1]) ?? textOf(args?.[0]) ?? '';
      this.names.set(definition, name);
    }
    return name;
  }
}

/** One instance of a product. */
export interface Instance {
  readonly definition: number;
  readonly name: PartName;
  /** From the coordinates of the product to those of the file. */
  readonly pose: Pose;
}

const argumentsOf = (records: Records, id: number | undefined) =>
  id === undefined ? undefined : records.parts(id)[0]?.args;

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
