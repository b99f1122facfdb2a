// Which bodies should a STEP file give? Open CASCADE leaves out faces that it cannot build and parts that it cannot
// place, and says nothing. Its answer is compared with the text.

import type { Records } from '../part21/records.ts';
import { refOf, refsOf } from '../part21/values.ts';

const solidNames = ['MANIFOLD_SOLID_BREP', 'BREP_WITH_VOIDS', 'FACETED_BREP'];

/** The solids of the file that are not among the solids that were made, which are given by their numbers of faces. */
export function missingSolids(records: Records, faces: readonly number[]): number[] {
  const made = new Map<number, number>();
  for (const count of faces) made.set(count, (made.get(count) ?? 0) + 1);
  const missing: number[] = [];
  for (const name of solidNames) {
    for (const id of records.named(name)) {
      const count = facesOf(records, id, name);
      const left = made.get(count) ?? 0;
      if (left === 0) missing.push(id);
      else made.set(count, left - 1);
    }
  }
  return missing.sort((a, b) => a - b);
}

/** The faces of the outer shell and of those around voids. */
function facesOf(records: Records, solid: number, name: string): number {
  const [, outer, voids] = records.arguments(solid, name) ?? [];
  let faces = 0;
  for (const shell of [...refsOf(outer), ...refsOf(voids)]) {
    const [turned] = refsOf(records.arguments(shell, 'ORIENTED_CLOSED_SHELL')?.[2]);
    faces += refsOf(records.arguments(turned ?? shell, 'CLOSED_SHELL')?.[1]).length;
  }
  return faces;
}

/** The uses of parts in assemblies that have no place, in files that place parts as most programs do. */
export function unplacedParts(records: Records): number[] {
  const placements = records.named('CONTEXT_DEPENDENT_SHAPE_REPRESENTATION');
  if (placements.length === 0) return [];
  const placed = new Set<number | undefined>();
  for (const id of placements) {
    const [relation, shape] = records.arguments(id, 'CONTEXT_DEPENDENT_SHAPE_REPRESENTATION') ?? [];
    const related = records.arguments(refOf(relation) ?? 0, 'REPRESENTATION_RELATIONSHIP');
    const isPlace = refsOf(related?.[2]).concat(refsOf(related?.[3])).filter(isRepresentation).length === 2;
    if (isPlace) placed.add(refOf(records.arguments(refOf(shape) ?? 0, 'PRODUCT_DEFINITION_SHAPE')?.[2]));
  }
  return records.named('NEXT_ASSEMBLY_USAGE_OCCURRENCE').filter(id => !placed.has(id));

  function isRepresentation(id: number): boolean {
    return records.parts(id).some(({ name }) => name.endsWith('REPRESENTATION'));
  }
}
