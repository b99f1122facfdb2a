// Which bodies does a STEP, IGES or BREP file contain? The package occt-import-js makes triangles of their surfaces,
// within a stated distance. Each solid, loose shell and set of loose faces is a body, in world positions as doubles.
// The text of a STEP file gives its unit, its accuracy and the other files that it needs.

import type { Budget } from '../budget.ts';
import { badFile, quoted, unsupportedFile } from '../file-error.ts';
import { askForeign, type ForeignOptions } from '../foreign/foreign.ts';
import { Records } from '../part21/records.ts';
import { metresOf, type UnitWords } from '../part21/units.ts';
import { numberOf, refOf, refsOf } from '../part21/values.ts';
import { baseName, meshOfFile, type ReadBody, type ReadResult } from '../read-result.ts';
import { countInstances } from './assemblies.ts';
import { type OcctFormat, type OcctMesh, type OcctQuestion, occtImport } from './occt.ts';
import { filesNeeded } from './references.ts';
import { missingSolids, unplacedParts } from './solids.ts';

export interface StepOptions extends ForeignOptions {
  /** How far triangles may lie from the surface, in the file's units. By default a thousandth of the mean extent. */
  readonly linear?: number | undefined;
  /** The angle between neighbouring triangles, in radians. */
  readonly angular: number;
}

type LengthUnit = OcctQuestion['settings']['linearUnit'];

/** The units that occt-import-js can give positions in, in metres. */
const units: readonly (readonly [LengthUnit, number])[] = [
  ['millimeter', 0.001],
  ['centimeter', 0.01],
  ['meter', 1],
  ['inch', 0.0254],
  ['foot', 0.3048],
];

/** The part of the mean extent by which triangles may lie beside the surface. */
const usualDeflection = 0.001;

export async function readStep(
  file: string,
  bytes: Uint8Array,
  format: OcctFormat,
  { wasm, thread, signal, linear, angular }: StepOptions,
  budget: Budget,
): Promise<ReadResult> {
  const stated = format === 'step' ? statedBy(file, bytes) : undefined;
  if (format === 'brep') checkBrep(file, bytes);
  if (stated) budget.spendBodies(countInstances(file, stated.records), 0, '');
  const [linearUnit, unit] = units.find(([, metres]) => metres === stated?.unit) ?? units[0];
  const question: OcctQuestion = {
    format,
    bytes,
    settings: {
      linearUnit,
      linearDeflectionType: linear === undefined ? 'bounding_box_ratio' : 'absolute_value',
      linearDeflection: linear ?? usualDeflection,
      angularDeflection: angular,
    },
  };
  const meshes = await askForeign(file, occtImport, question, { wasm, thread, signal }, budget);
  const bodies: ReadBody[] = [];
  const rounding = stated?.uncertainty === undefined ? undefined : stated.uncertainty / unit;
  let emptyFaces = 0;
  for (const { path, positions, indices, emptyFaces: empty } of meshes) {
    const place = path.join(' / ');
    emptyFaces += empty;
    if (indices.length === 0) continue;
    const names = path.filter(name => name !== '');
    const name = names.at(-1) ?? baseName(file);
    budget.spendMesh(positions.length / 3, 8, indices.length, place);
    budget.spendBodies(1, name.length + 8 * path.length, place);
    const mesh = meshOfFile(file, quoted(place), positions, indices);
    bodies.push({ name, mesh, ...(names.length > 0 ? { path: names } : {}), rounding });
  }
  const warnings = stated ? [...stated.records.warnings, ...missingWarnings(stated.records, meshes)] : [];
  if (emptyFaces > 0) warnings.push(`Open CASCADE made no triangles of ${emptyFaces} faces`);
  return {
    bodies,
    warnings: warnings.map(what => `${file}: ${what}`),
    // A BREP file does not say its unit. Positions of the others are given in the unit that was asked for.
    unit: format === 'brep' ? undefined : unit,
    tessellation: linear ?? usualDeflection * largestExtent(meshes),
  };
}

/** Open CASCADE reads a BREP text that ends early for ever. A whole one ends with the shape that it is all about. */
function checkBrep(file: string, bytes: Uint8Array): void {
  const latin1 = new TextDecoder('latin1');
  if (!/\bCASCADE Topology V\d/.test(latin1.decode(bytes.subarray(0, 4096)))) {
    unsupportedFile(file, '', 'the text has no "CASCADE Topology"; only BREP files of that form are read');
  }
  if (!/\*\s+[+-]\d+ \d+\s*$/.test(latin1.decode(bytes.subarray(-64))))
    badFile(file, '', 'the file ends early');
}

const unitWords: UnitWords = {
  si: 'SI_UNIT',
  converted: 'CONVERSION_BASED_UNIT',
  measures: ['LENGTH_MEASURE_WITH_UNIT', 'MEASURE_WITH_UNIT'],
};

interface Stated {
  readonly records: Records;
  /** Metres per unit. */
  readonly unit: number | undefined;
  /** Points closer than this are the same point to the program that wrote the file, in metres. */
  readonly uncertainty: number | undefined;
}

/** What the text of a STEP file says. Refuses a file that needs others. */
function statedBy(file: string, bytes: Uint8Array): Stated {
  const records = new Records(file, bytes);
  if (records.schema.startsWith('IFC')) badFile(file, 'FILE_SCHEMA', 'this is an IFC file; name it .ifc');
  const needed = filesNeeded(records);
  if (needed.length > 0) {
    const named = needed.slice(0, 5).map(quoted).join(', ');
    const more = needed.length > 5 ? ` and ${needed.length - 5} more` : '';
    const advice = 'export the assembly into one file';
    unsupportedFile(file, '', `the shapes of its parts are in other files: ${named}${more}; ${advice}`);
  }
  const uncertainties = records.named('UNCERTAINTY_MEASURE_WITH_UNIT').flatMap(id => {
    const [value, ofUnit] = records.arguments(id, 'UNCERTAINTY_MEASURE_WITH_UNIT') ?? [];
    const metres = metresOf(records, refOf(ofUnit) ?? 0, unitWords);
    const number = numberOf(value);
    return metres === undefined || number === undefined || !(number >= 0) ? [] : [number * metres];
  });
  const uncertainty = uncertainties.reduce((most, x) => Math.max(most, x), 0);
  return { records, unit: unitOf(records), uncertainty: uncertainties.length > 0 ? uncertainty : undefined };
}

function missingWarnings(records: Records, meshes: readonly OcctMesh[]): string[] {
  const faces = meshes.map(mesh => mesh.faces);
  const warning = (what: string, ids: readonly number[]): string[] => {
    if (ids.length === 0) return [];
    const named = ids.slice(0, 5).map(id => `#${id}`);
    return [`Open CASCADE left out ${what}: ${named.join(', ')}${ids.length > 5 ? ' …' : ''}`];
  };
  return [
    ...warning('solids or some of their faces', missingSolids(records, faces)),
    ...warning('parts of assemblies that have no place', unplacedParts(records)),
  ];
}

/** The length unit of the file's first context that has one. */
function unitOf(records: Records): number | undefined {
  for (const id of records.named('GLOBAL_UNIT_ASSIGNED_CONTEXT')) {
    for (const unit of refsOf(records.arguments(id, 'GLOBAL_UNIT_ASSIGNED_CONTEXT')?.[0])) {
      const metres = metresOf(records, unit, unitWords);
      if (metres !== undefined) return metres;
    }
  }
  return undefined;
}

/** The mean of width, depth and height of each of the file's outermost shapes; the largest of them. */
function largestExtent(meshes: readonly OcctMesh[]): number {
  const boxes = new Map<number, number[]>();
  for (const { root, positions } of meshes) {
    const box = boxes.get(root) ?? [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    boxes.set(root, box);
    for (let i = 0; i < positions.length; i++) {
      const axis = i % 3;
      box[axis] = Math.min(box[axis], positions[i]);
      box[3 + axis] = Math.max(box[3 + axis], positions[i]);
    }
  }
  const extents = Array.from(
    boxes.values(),
    box => (box[3] - box[0] + box[4] - box[1] + box[5] - box[2]) / 3,
  );
  return Math.max(0, ...extents);
}
