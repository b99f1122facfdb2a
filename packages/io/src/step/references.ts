// Which other files does a STEP file need? An assembly may leave the shapes of its parts to other files: documents
// assigned to product definitions. Open CASCADE reads such an assembly as empty and says that all went well.

import type { Records } from '../part21/records.ts';
import { refOf, refsOf, textOf } from '../part21/values.ts';

/** The names of files with shapes of this file's products, in file order. */
export function filesNeeded(records: Records): string[] {
  const files = new Set<string>();
  const products = new Set(['PRODUCT_DEFINITION', 'PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS']);
  for (const name of ['APPLIED_DOCUMENT_REFERENCE', 'CC_DESIGN_SPECIFICATION_REFERENCE']) {
    for (const id of records.named(name)) {
      const args = records.arguments(id, name);
      const document = refOf(args?.[0]);
      const about = refsOf(args?.at(-1)).flatMap(item => records.parts(item).map(part => part.name));
      if (document === undefined || !about.some(kind => products.has(kind))) continue;
      enter(document);
    }
  }
  for (const id of records.named('PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS')) {
    refsOf(records.arguments(id, 'PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS')?.at(-1)).forEach(enter);
  }
  return [...files];

  function enter(document: number): void {
    const args = records.arguments(document, 'DOCUMENT_FILE');
    if (!args) return;
    const path = locationOf(document) ?? textOf(args[0]) ?? textOf(args[1]);
    if (path !== undefined) files.add(path);
  }

  /** `APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT('part.stp', role, source, (#document))` */
  function locationOf(document: number): string | undefined {
    const name = 'APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT';
    for (const id of records.named(name)) {
      const args = records.arguments(id, name);
      if (refsOf(args?.[3]).includes(document)) return textOf(args?.[0]);
    }
    return undefined;
  }
}
