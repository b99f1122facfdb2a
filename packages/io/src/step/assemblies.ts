// How often do the parts of a STEP file occur? Assemblies use parts, which may be assemblies: a small file can ask for
// any number of instances, or for a part within itself. Both are found before anything is built.

import { badFile } from '../file-error.ts';
import type { Records } from '../part21/records.ts';
import { refOf } from '../part21/values.ts';

const use = 'NEXT_ASSEMBLY_USAGE_OCCURRENCE';

/** The number of instances of all parts and assemblies. Refuses a file in which an assembly contains itself. */
export function countInstances(file: string, records: Records): number {
  const uses = new Map<number, number[]>();
  const isUsed = new Set<number>();
  for (const id of records.named(use)) {
    const args = records.arguments(id, use);
    const whole = refOf(args?.[3]);
    const part = refOf(args?.[4]);
    if (whole === undefined || part === undefined) continue;
    isUsed.add(part);
    const parts = uses.get(whole);
    if (parts) parts.push(part);
    else uses.set(whole, [part]);
  }
  /** The number of instances in one product, itself included. 0 while it is being counted. */
  const sizes = new Map<number, number>();
  for (const first of uses.keys()) {
    const stack = [first];
    while (stack.length > 0) {
      const at = stack[stack.length - 1];
      const parts = uses.get(at) ?? [];
      const open = sizes.has(at) ? undefined : parts.filter(part => !sizes.get(part));
      if (open === undefined) {
        stack.pop();
        if (sizes.get(at) === 0)
          sizes.set(
            at,
            parts.reduce((sum, part) => sum + sizes.get(part)!, 1),
          );
        continue;
      }
      sizes.set(at, 0);
      for (const part of open) {
        if (sizes.get(part) === 0) badFile(file, `#${part}`, 'the assembly contains itself');
        stack.push(part);
      }
    }
  }
  let instances = 0;
  for (const [product, size] of sizes) if (!isUsed.has(product)) instances += size;
  return instances;
}
