// Which bodies does a STEP, IGES or BREP file contain? The package occt-import-js makes triangles of their surfaces,
// within a stated distance, as doubles. Each solid, loose shell and set of loose faces is a body. The text of a STEP file
// gives its unit, its accuracy, and the other files that have shapes of its parts.

import type { Length } from '../facts/units.ts';
import { askForeign, type ForeignOptions } from '../foreign/foreign.ts';
import type { Records } from '../part21/records.ts';
import { textOf } from '../part21/values.ts';
import { baseName, meshOfFile, type ReadBody, type ReadResult } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import type { FetchBeside } from '../reading/fetch-beside.ts';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';
import { placeBody, placeFiles } from './assembly/assembly.ts';
import { type LinkedFile, linkedFiles } from './assembly/linked-files.ts';
import { Instances } from './instances.ts';
import { type OcctFile, type OcctFormat, type OcctMesh, type OcctQuestion, occtImport } from './occt.ts';
import { missingSolids, unplacedParts } from './solids.ts';
import type { Stated } from './stated.ts';

export interface StepOptions extends ForeignOptions {
  /** Fetches the files that have the shapes of an assembly's parts. */
  readonly fetchBeside?: FetchBeside | undefined;
  /** How far triangles may lie from the surface. By default a thousandth of the mean extent. */
  readonly linear?: Length | undefined;
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
  { wasm, thread, signal, fetchBeside, linear: stated, angular }: StepOptions,
  budget: Budget,
): Promise<ReadResult> {
  if (format === 'brep') checkBrep(file, bytes);
  const linked = format === 'step' ? await linkedFiles(file, bytes, fetchBeside, budget, signal) : [];
  const [linearUnit, unit] = units.find(([, metres]) => metres === linked[0]?.stated.unit) ?? units[0];
  if (format === 'brep' && stated?.unit !== undefined) {
    unsupportedFile(
      file,
      '',
      'a BREP does not state its unit: give the tessellation as a number, without a unit',
    );
  }
  const linear = stated && (stated.unit === undefined ? stated.value : (stated.value * stated.unit) / unit);
  const placed = linked.length === 0 ? [] : placeFiles(linked, unit, budget);
  const whole: OcctFile = { name: '', bytes, mayBeEmpty: false };
  const question: OcctQuestion = {
    format,
    files: linked.length === 0 ? [whole] : linked.map(occtFile),
    settings: {
      linearUnit,
      linearDeflectionType: linear === undefined ? 'bounding_box_ratio' : 'absolute_value',
      linearDeflection: linear ?? usualDeflection,
      angularDeflection: angular,
    },
  };
  const meshes = await askForeign(file, occtImport, question, { wasm, thread, signal }, budget);
  const warnings: string[] = [];
  const made = new Map<LinkedFile | undefined, readonly ReadBody[]>();
  meshes.forEach((some, i) => {
    const { stated, ...from } = linked[i] ?? { file, warnings: [], stated: undefined };
    const name = from.file;
    const found = [...from.warnings, ...(stated ? missingWarnings(stated.records, some) : [])];
    const emptyFaces = some.reduce((sum, mesh) => sum + mesh.emptyFaces, 0);
    if (emptyFaces > 0) found.push(`Open CASCADE made no triangles of ${emptyFaces} faces`);
    warnings.push(...found.map(what => `${name}: ${what}`));
    const rounding = stated && uncertaintyOf(stated, linked[0].stated, unit);
    const products = stated && productNames(stated.records);
    made.set(linked[i], bodiesOf(name, some, products, rounding, budget));
  });
  const own = made.get(undefined) ?? [];
  const inFiles = placed.flatMap(at => {
    const bodies = made.get(at.linked)!;
    const isOnly = bodies.length === 1 && at.linked.parts.size === 0;
    return bodies.map(body => placeBody(body, at, isOnly, budget));
  });
  return {
    bodies: [...own, ...inFiles],
    warnings,
    // A BREP file does not say its unit. Positions of the others are given in the unit that was asked for.
    unit: format === 'brep' ? undefined : unit,
    tessellation: linear ?? usualDeflection * Math.max(...meshes.map(largestExtent)),
  };
}

const occtFile = ({ file, bytes, parts }: LinkedFile, i: number): OcctFile => ({
  name: i === 0 ? '' : file,
  bytes,
  mayBeEmpty: parts.size > 0,
});

/** The accuracy of a file, or of the assembly that it belongs to if it states none, in the unit of the answer. */
function uncertaintyOf(own: Stated, whole: Stated, unit: number): number | undefined {
  const metres = own.uncertainty ?? whole.uncertainty;
  return metres === undefined ? undefined : metres / unit;
}

/** The names and ids of all products. */
const productNames = (records: Records): ReadonlySet<string> =>
  new Set(
    records.named('PRODUCT').flatMap(id => {
      const args = records.arguments(id, 'PRODUCT');
      return [textOf(args?.[0]) ?? '', textOf(args?.[1]) ?? ''];
    }),
  );

/** The bodies of one file, in its own coordinates. `products` has the names of those of a STEP file. */
function bodiesOf(
  file: string,
  meshes: readonly OcctMesh[],
  products: ReadonlySet<string> | undefined,
  rounding: number | undefined,
  budget: Budget,
): ReadBody[] {
  const bodies: ReadBody[] = [];
  const instances = new Instances();
  for (const { path, nodes, isOnly, positions, indices } of meshes) {
    if (indices.length === 0) continue;
    const place = path.join(' / ');
    // The only shape of a product has the name of the product: programs call all of their shapes SOLID.
    const isShape = isOnly && path.length > 1 && products !== undefined && !products.has(path.at(-1)!);
    const isNamed = (_: unknown, i: number) => path[i] !== '' && !(isShape && i === path.length - 1);
    const [names, pathNodes] = [path.filter(isNamed), nodes.filter(isNamed)];
    const name = names.at(-1) ?? baseName(file);
    budget.spendBodies(1, name.length + 8 * path.length, place);
    const body = { name, ...(names.length > 0 ? { path: names, pathNodes } : {}), rounding };
    const earlier = instances.find(positions, indices);
    if (earlier) {
      bodies.push({ ...body, ...earlier, meshRounding: rounding });
      continue;
    }
    budget.spendMesh(positions.length / 3, 8, indices.length, place);
    const mesh = meshOfFile(file, quoted(place), positions, indices);
    instances.add(mesh, positions, indices);
    bodies.push({ ...body, mesh });
  }
  return bodies;
}

/** Open CASCADE never finishes reading a BREP text that ends early. A whole one ends with the shape that it is all about. */
function checkBrep(file: string, bytes: Uint8Array): void {
  const latin1 = new TextDecoder('latin1');
  if (!/\bCASCADE Topology V\d/.test(latin1.decode(bytes.subarray(0, 4096)))) {
    unsupportedFile(file, '', 'the text has no "CASCADE Topology"; only BREP files of that form are read');
  }
  if (!/\*\s+[+-]\d+ \d+\s*$/.test(latin1.decode(bytes.subarray(-64))))
    badFile(file, '', 'the file ends early');
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
