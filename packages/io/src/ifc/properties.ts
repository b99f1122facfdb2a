// What does an IFC file say about a product? Single values and lists of its property sets, quantities, and those of its
// type, by names such as `Pset_WallCommon.FireRating`. The product's own values win over its type's.

import type { Records } from '../part21/records.ts';
import { listOf, numberOf, partOf, refOf, refsOf, textOf, type Value, wordOf } from '../part21/values.ts';
import type { PartProperties } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';

type Plain = string | number | boolean;
type Entries = readonly (readonly [name: string, value: Plain])[];

/** An entry of an object: a name that is shared, and a value. */
const entryBytes = 32;

export class Properties {
  private readonly setsOf = new Map<number, number[]>();
  private readonly typeOf = new Map<number, number>();
  private readonly read = new Map<number, Entries>();

  constructor(
    private readonly records: Records,
    private readonly budget: Budget,
  ) {
    for (const id of records.named('IFCRELDEFINESBYPROPERTIES')) {
      const args = records.arguments(id, 'IFCRELDEFINESBYPROPERTIES');
      const definition = partOf(args?.[5])?.args[0] ?? args?.[5];
      const sets = refsOf(definition);
      for (const product of refsOf(args?.[4])) {
        const known = this.setsOf.get(product);
        if (known) known.push(...sets);
        else this.setsOf.set(product, [...sets]);
      }
    }
    for (const id of records.named('IFCRELDEFINESBYTYPE')) {
      const args = records.arguments(id, 'IFCRELDEFINESBYTYPE');
      const type = refOf(args?.[5]);
      if (type !== undefined) for (const product of refsOf(args?.[4])) this.typeOf.set(product, type);
    }
  }

  of(id: number): PartProperties {
    const type = this.records.record(this.typeOf.get(id) ?? 0);
    const product = this.records.record(id)?.args ?? [];
    const found = new Map<string, Plain>();
    const enter = (name: string, value: Plain | undefined) => {
      if (value !== undefined) found.set(name, value);
    };
    enter('Description', textOf(product[3]));
    enter('ObjectType', textOf(product[4]));
    enter('Tag', textOf(product[7]));
    enter('Type', textOf(type?.args[2]));
    const sets = [...refsOf(type?.args[5]), ...(this.setsOf.get(id) ?? [])];
    for (const set of sets) for (const [name, value] of this.entries(set)) found.set(name, value);
    this.budget.spend(entryBytes * found.size, `#${id}`);
    return Object.fromEntries(found);
  }

  /** The values of a property set or of quantities, read once. */
  private entries(set: number): Entries {
    let entries = this.read.get(set);
    if (!entries) {
      const record = this.records.record(set);
      const at = record?.name === 'IFCELEMENTQUANTITY' ? 5 : 4;
      const isSet = record?.name === 'IFCELEMENTQUANTITY' || record?.name === 'IFCPROPERTYSET';
      const prefix = textOf(record?.args[2]) ?? '';
      const values = isSet ? refsOf(record?.args[at]) : [];
      entries = values.flatMap(id => this.value(id, prefix));
      this.read.set(set, entries);
    }
    return entries;
  }

  private value(id: number, prefix: string): Entries {
    const record = this.records.record(id);
    const name = textOf(record?.args[0]);
    const value = record && simpleValue(record.name, record.args);
    if (name === undefined || value === undefined) return [];
    const full = prefix === '' ? name : `${prefix}.${name}`;
    this.budget.spend(2 * full.length + entryBytes, `#${id}`);
    return [[full, value]];
  }
}

/** The value of a property or a quantity of the simple kinds. */
function simpleValue(kind: string, args: readonly Value[]): Plain | undefined {
  if (kind === 'IFCPROPERTYSINGLEVALUE') return plain(args[2]);
  if (kind === 'IFCPROPERTYENUMERATEDVALUE' || kind === 'IFCPROPERTYLISTVALUE') {
    const values = listOf(args[2]).map(plain);
    return values.length > 0 ? values.join(', ') : undefined;
  }
  return kind.startsWith('IFCQUANTITY') ? numberOf(args[3]) : undefined;
}

function plain(value: Value | undefined): Plain | undefined {
  const word = wordOf(partOf(value)?.args[0] ?? value);
  if (word === 'T' || word === 'F') return word === 'T';
  return word ?? numberOf(value) ?? textOf(value);
}
