// In which unit are the lengths of an IFC file?

import type { Records } from '../part21/records.ts';
import { metresOf, type UnitWords } from '../part21/units.ts';
import { refOf, refsOf, wordOf } from '../part21/values.ts';

export const unitWords: UnitWords = {
  si: 'IFCSIUNIT',
  converted: 'IFCCONVERSIONBASEDUNIT',
  measures: ['IFCMEASUREWITHUNIT'],
};

/** The length unit of the project, in metres. */
export function unitOf(records: Records): number | undefined {
  const project = records.arguments(records.named('IFCPROJECT')[0], 'IFCPROJECT');
  const assigned = refOf(project?.[8]) ?? records.named('IFCUNITASSIGNMENT')[0];
  for (const id of refsOf(records.arguments(assigned, 'IFCUNITASSIGNMENT')?.[0])) {
    const unit = records.record(id);
    if (wordOf(unit?.args[1]) === 'LENGTHUNIT') return metresOf(records, id, unitWords);
  }
  return undefined;
}
