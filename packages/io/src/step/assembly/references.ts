// Which parts of a STEP file have their shapes in other files? An assembly may leave the shape of a product to a
// document that is assigned to its definition. Open CASCADE reads such a part as empty and says that all went well.

import type { Records } from '../../part21/records.ts';
import { refOf, refsOf, textOf } from '../../part21/values.ts';
import { quoted, unsupportedFile } from '../../reading/file-error.ts';
import type { Structure } from './structure.ts';

/** A product definition whose shape is in another file. */
export interface OutsidePart {
  readonly definition: number;
  /** The paths, as the file writes them, under which the other file may be found; the likeliest first. */
  readonly paths: readonly string[];
}

const withDocuments = 'PRODUCT_DEFINITION_WITH_ASSOCIATED_DOCUMENTS';
const identification = 'APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT';

/** The parts whose shapes are in other files, in file order. Says in `warnings` which files are not needed. */
export function outsideParts(
  file: string,
  records: Records,
  structure: Structure,
  warnings: string[],
): OutsidePart[] {
  const documents = documentsOf(records);
  if (documents.size === 0) return [];
  const shaped = shapedDefinitions(records, documents);
  const parts: OutsidePart[] = [];
  for (const [definition, files] of documents) {
    // A part may also have drawings and the files of the program that made it.
    const step = [...files.values()].filter(([path]) => isStep(path));
    const place = `#${definition}`;
    if (structure.partsOf(definition).length > 0 || shaped.has(definition)) {
      if (step.length > 0)
        warnings.push(`${place} has a shape of its own; the file ${quoted(step[0][0])} for it is not read`);
      continue;
    }
    if (step.length > 1) {
      const named = step.slice(0, 5).map(([path]) => quoted(path));
      unsupportedFile(file, place, `it has several files with its shape: ${named.join(', ')}`);
    }
    if (step.length === 0) {
      const [path] = files.keys();
      unsupportedFile(file, place, `the shape of the part is in ${quoted(path)}, which is not a STEP file`);
    }
    parts.push({ definition, paths: step[0] });
  }
  return parts;
}

const isStep = (path: string): boolean => /(\.(stp|step|p21)|(^|[/\\])[^./\\]+)$/i.test(path);

/** Per product definition, the documents that are files: the paths of each, by the first of them. */
function documentsOf(records: Records): Map<number, Map<string, readonly string[]>> {
  const found = new Map<number, Map<string, readonly string[]>>();
  const located = locations(records);
  const enter = (definition: number, document: number | undefined): void => {
    const args = document === undefined ? undefined : records.arguments(document, 'DOCUMENT_FILE');
    if (!args) return;
    const named = textOf(args[0]) ?? textOf(args[1]);
    const paths = located.get(document!) ?? (named === undefined ? [] : [named]);
    if (paths.length === 0) return;
    const files = found.get(definition) ?? new Map<string, readonly string[]>();
    found.set(definition, files.set(paths[0], paths));
  };
  for (const name of ['APPLIED_DOCUMENT_REFERENCE', 'CC_DESIGN_SPECIFICATION_REFERENCE']) {
    for (const id of records.named(name)) {
      const args = records.arguments(id, name);
      for (const item of refsOf(args?.at(-1))) if (isDefinition(records, item)) enter(item, refOf(args?.[0]));
    }
  }
  for (const id of records.named(withDocuments)) {
    for (const document of refsOf(records.arguments(id, withDocuments)?.at(-1))) enter(id, document);
  }
  return found;
}

const isDefinition = (records: Records, id: number): boolean =>
  records.parts(id).some(({ name }) => name === 'PRODUCT_DEFINITION' || name === withDocuments);

/**
 * Per document, where it is: `APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT('part.stp', role, source, (#document))`. The
 * source may name a folder.
 */
function locations(records: Records): Map<number, string[]> {
  const located = new Map<number, string[]>();
  for (const id of records.named(identification)) {
    const args = records.arguments(id, identification);
    const path = textOf(args?.[0]);
    if (path === undefined) continue;
    const folder = textOf(records.arguments(refOf(args?.[2]) ?? 0, 'EXTERNAL_SOURCE')?.[0]);
    // An address or an absolute path says where the file was, not where it is. Some programs repeat the file here.
    const isFolder = folder !== undefined && !/^([a-z]+:|[/\\])|\.(stp|step|p21)$/i.test(folder);
    const inFolder = isFolder ? [`${folder}/${path}`] : [];
    for (const document of refsOf(args?.[3]))
      if (!located.has(document)) located.set(document, [...inFolder, path]);
  }
  return located;
}

/** Those of the definitions that have a shape in this file: a representation with more than axes. */
function shapedDefinitions(records: Records, asked: ReadonlyMap<number, unknown>): Set<number> {
  const related = new Map<number, number[]>();
  const name = 'SHAPE_REPRESENTATION_RELATIONSHIP';
  for (const id of records.named(name)) {
    const [, , first, second] = records.record(id)?.args ?? [];
    const [a, b] = [refOf(first), refOf(second)];
    if (a === undefined || b === undefined) continue;
    related.set(a, [...(related.get(a) ?? []).slice(0, mostRelated), b]);
    related.set(b, [...(related.get(b) ?? []).slice(0, mostRelated), a]);
  }
  const known = new Map<number, boolean>();
  const isShape = (id: number): boolean => {
    const shape = known.get(id) ?? hasShape(records, id);
    known.set(id, shape);
    return shape;
  };
  const shaped = new Set<number>();
  for (const [definition, representations] of representationsOf(records)) {
    if (!asked.has(definition)) continue;
    const all = [...representations].flatMap(id => [id, ...(related.get(id) ?? [])]);
    if (all.some(isShape)) shaped.add(definition);
  }
  return shaped;
}

/** A representation has one or two others that say the same in other ways. */
const mostRelated = 8;

function hasShape(records: Records, representation: number): boolean {
  const items = refsOf(records.parts(representation)[0]?.args[1]);
  return items.some(item => records.parts(item).every(({ name }) => name !== 'AXIS2_PLACEMENT_3D'));
}

/** Per product definition, the representations of its shape. */
export function representationsOf(records: Records): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const id of records.named('SHAPE_DEFINITION_REPRESENTATION')) {
    const [shape, representation] = records.arguments(id, 'SHAPE_DEFINITION_REPRESENTATION') ?? [];
    const definition = refOf(records.arguments(refOf(shape) ?? 0, 'PRODUCT_DEFINITION_SHAPE')?.[2]);
    const used = refOf(representation);
    if (definition === undefined || used === undefined) continue;
    const known = found.get(definition) ?? new Set();
    found.set(definition, known.add(used));
  }
  return found;
}
