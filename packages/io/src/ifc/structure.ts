// Where does a product belong? Projects, sites, buildings, storeys and assemblies have parts, and storeys contain
// elements: the names on the way from the project down to a product.

import type { Records } from '../part21/records.ts';
import { refOf, refsOf, textOf } from '../part21/values.ts';
import { badFile } from '../reading/file-error.ts';

/** Relations from a whole to its parts: the name, and which arguments are the whole and the parts. Earlier ones win. */
const relations: readonly (readonly [name: string, whole: number, parts: number])[] = [
  ['IFCRELAGGREGATES', 4, 5],
  ['IFCRELNESTS', 4, 5],
  ['IFCRELCONTAINEDINSPATIALSTRUCTURE', 5, 4],
];

/** Refuses a file in which a placement is relative to itself, by any number of steps. web-ifc does not check this. */
export function checkPlacements(file: string, records: Records): void {
  const name = 'IFCLOCALPLACEMENT';
  const sound = new Set<number | undefined>([undefined]);
  for (const id of records.named(name)) {
    const chain = new Set<number>();
    let at: number | undefined = id;
    while (at !== undefined && !sound.has(at)) {
      if (chain.has(at)) badFile(file, `#${at}`, 'the placement is relative to itself');
      chain.add(at);
      at = refOf(records.arguments(at, name)?.[0]);
    }
    for (const passed of chain) sound.add(passed);
  }
}

/** A file can be deeper only by a loop or on purpose. */
const mostSteps = 50;

export class Structure {
  private readonly wholes = new Map<number, number>();
  private readonly names = new Map<number, string>();

  /** `types` has the names of classes as people write them. */
  constructor(
    private readonly records: Records,
    private readonly types: ReadonlyMap<number, string>,
  ) {
    for (const [name, whole, parts] of relations) {
      for (const id of records.named(name)) {
        const args = records.arguments(id, name);
        const of = refOf(args?.[whole]);
        if (of === undefined) continue;
        for (const part of refsOf(args?.[parts])) if (!this.wholes.has(part)) this.wholes.set(part, of);
      }
    }
  }

  /** The names of everything around a product, the project first. */
  around(id: number): string[] {
    const names: string[] = [];
    const seen = new Set([id]);
    for (let whole = this.wholes.get(id); whole !== undefined; whole = this.wholes.get(whole)) {
      if (seen.has(whole) || seen.size > mostSteps) break;
      seen.add(whole);
      names.push(this.nameOf(whole));
    }
    return names.reverse();
  }

  private nameOf(id: number): string {
    let name = this.names.get(id);
    if (name === undefined) {
      const record = this.records.record(id);
      name = textOf(record?.args[2]) ?? textOf(record?.args[7]) ?? this.types.get(id) ?? `#${id}`;
      this.names.set(id, name);
    }
    return name;
  }
}
