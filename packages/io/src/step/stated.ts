// What does the text of a STEP file say about its lengths? Its unit, and how close two points must be to be one.

import { Records } from '../part21/records.ts';
import { metresOf, type UnitWords } from '../part21/units.ts';
import { numberOf, refOf, refsOf } from '../part21/values.ts';
import { badFile } from '../reading/file-error.ts';

const unitWords: UnitWords = {
  si: 'SI_UNIT',
  converted: 'CONVERSION_BASED_UNIT',
  measures: ['LENGTH_MEASURE_WITH_UNIT', 'MEASURE_WITH_UNIT'],
};

const units = 'GLOBAL_UNIT_ASSIGNED_CONTEXT';
const accuracy = 'UNCERTAINTY_MEASURE_WITH_UNIT';

export interface Stated {
  readonly records: Records;
  /** Metres per unit. */
  readonly unit: number | undefined;
  /** Points closer than this are the same point to the program that wrote the file, in metres. */
  readonly uncertainty: number | undefined;
}

export function statedBy(file: string, bytes: Uint8Array): Stated {
  const records = new Records(file, bytes);
  if (records.schema.startsWith('IFC')) badFile(file, 'FILE_SCHEMA', 'this is an IFC file; name it .ifc');
  const uncertainties = records.named(accuracy).flatMap(id => {
    const [value, ofUnit] = records.arguments(id, accuracy) ?? [];
    const metres = metresOf(records, refOf(ofUnit) ?? 0, unitWords);
    const number = numberOf(value);
    return metres === undefined || number === undefined || !(number >= 0) ? [] : [number * metres];
  });
  const uncertainty = uncertainties.reduce((most, x) => Math.max(most, x), 0);
  return { records, unit: unitOf(records), uncertainty: uncertainties.length > 0 ? uncertainty : undefined };
}

/** The length unit of the file's first context that has one. */
function unitOf(records: Records): number | undefined {
  for (const id of records.named(units)) {
    const metres = unitOfContext(records, id);
    if (metres !== undefined) return metres;
  }
  return undefined;
}

/** The length unit of a context, in metres. */
export function unitOfContext(records: Records, context: number): number | undefined {
  for (const unit of refsOf(records.arguments(context, units)?.[0])) {
    const metres = metresOf(records, unit, unitWords);
    if (metres !== undefined) return metres;
  }
  return undefined;
}
