// Which bodies does an IFC file contain? The records give names, identities, structure, properties and units. The
// package web-ifc gives triangles, with openings cut out. Each product with triangles is a body, in the file's own
// axes and units.

import { askForeign, type ForeignOptions } from '../foreign/foreign.ts';
import { Records } from '../part21/records.ts';
import { numberOf, refOf, refsOf, textOf } from '../part21/values.ts';
import { baseName, type ReadBody, type ReadResult } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import { badFile, unsupportedFile } from '../reading/file-error.ts';
import { mapPlacementOf } from './map-placement.ts';
import { PlacedParts } from './placed-parts.ts';
import { Properties } from './properties.ts';
import { checkPlacements, Structure } from './structure.ts';
import { unitOf } from './units.ts';
import { type IfcProduct, webIfc } from './web-ifc.ts';

export interface IfcOptions extends ForeignOptions {
  readonly properties?: boolean | undefined;
  /** The angle between neighbouring pieces of a circle, in radians. */
  readonly angular: number;
}

/** Products that are not parts: rooms, holes, and annotations beside the building. */
const noParts =
  /^Ifc(Space|SpatialZone|Opening\w*|VoidingFeature|ProjectionElement|Annotation|Grid|VirtualElement|ExternalSpatialElement|Alignment\w*|Referent|Port|DistributionPort|Structural\w+)$/;

export async function readIfc(
  file: string,
  bytes: Uint8Array,
  { wasm, thread, signal, properties, angular }: IfcOptions,
  budget: Budget,
): Promise<ReadResult> {
  const records = new Records(file, bytes);
  if (!records.schema.startsWith('IFC')) {
    badFile(file, 'FILE_SCHEMA', `the schema is "${records.schema}", which is not IFC`);
  }
  checkPlacements(file, records);
  const pieces = Math.max(3, Math.round((2 * Math.PI) / angular));
  const question = { bytes, pieces };
  const { geometries, products } = await askForeign(file, webIfc, question, { wasm, thread, signal }, budget);
  const parts = new PlacedParts(file, geometries, budget);
  const structure = new Structure(records, new Map(products.map(({ id, type }) => [id, type])));
  const described = properties ? new Properties(records, budget) : undefined;
  const bodies: ReadBody[] = [];
  const leftOut = new Map<string, number>();
  const lacking: string[] = [];
  const cut = new Set(
    records.named('IFCRELVOIDSELEMENT').map(id => refOf(records.arguments(id, 'IFCRELVOIDSELEMENT')?.[4])),
  );
  for (const product of products) {
    const { id, type } = product;
    const args = records.record(id)?.args;
    if (noParts.test(type)) {
      leftOut.set(type, (leftOut.get(type) ?? 0) + 1);
      continue;
    }
    // A product with openings is cut as a whole, which makes one geometry of all its items.
    const items = Math.min(itemsOf(records, refOf(args?.[6])), cut.has(id) ? 1 : Infinity);
    if (product.parts.length < items) lacking.push(`${type} #${id}`);
    if (product.parts.length === 0) continue;
    const name = nameOf(product, records, file);
    const path = [...structure.around(id), name];
    budget.spendBodies(1, name.length + 8 * path.length, `#${id}`);
    const body = { name, path, id: textOf(args?.[0]), type, properties: described?.of(id) };
    bodies.push({ ...body, ...parts.place(product) });
  }
  if (bodies.length === 0 && products.length === 0) unsupportedFile(file, '', 'the file has no products');
  const unit = unitOf(records);
  const warnings = [...records.warnings, ...leftOutWarning(leftOut), ...lackingWarning(lacking)];
  const map = mapPlacementOf(records, unit, warnings);
  const tessellation = largestRadius(records) * (1 - Math.cos(Math.PI / pieces));
  return {
    bodies,
    warnings: warnings.map(what => `${file}: ${what}`),
    unit,
    up: 'z',
    ...(tessellation > 0 ? { tessellation } : {}),
    ...(map ? { map } : {}),
  };
}

function nameOf({ id, type }: IfcProduct, records: Records, file: string): string {
  const args = records.record(id)?.args;
  const identity = textOf(args?.[0]);
  return textOf(args?.[2]) ?? (identity === undefined ? `${baseName(file)} #${id}` : `${type} ${identity}`);
}

/** The items of a product's shape, as far as they can be read: of its bodies, not of its axes and plans. */
function itemsOf(records: Records, definition: number | undefined): number {
  if (definition === undefined) return 0;
  const representations = refsOf(records.record(definition)?.args[2]);
  // An item that cannot be read counts as one, so that a missing shape is noticed.
  if (representations.length === 0) return 1;
  let items = 0;
  for (const id of representations) {
    const args = records.record(id)?.args;
    const kind = textOf(args?.[1]);
    if (kind === undefined || kind === 'Body' || kind === 'Facetation') items += refsOf(args?.[3]).length;
  }
  return items;
}

function leftOutWarning(leftOut: ReadonlyMap<string, number>): string[] {
  if (leftOut.size === 0) return [];
  const counts = Array.from(leftOut, ([type, count]) => `${count} ${type}`).join(', ');
  return [`left out, because they are not parts: ${counts}`];
}

function lackingWarning(lacking: readonly string[]): string[] {
  if (lacking.length === 0) return [];
  const named = lacking.slice(0, 5).join(', ');
  const more = lacking.length > 5 ? ` and ${lacking.length - 5} more` : '';
  return [`web-ifc made no triangles of the shape, or of a part of it: ${named}${more}`];
}

/** Which arguments of the curved shapes are radii. */
const radii: Readonly<Record<string, readonly number[]>> = {
  IFCCIRCLE: [1],
  IFCELLIPSE: [1, 2],
  IFCCIRCLEPROFILEDEF: [3],
  IFCCIRCLEHOLLOWPROFILEDEF: [3],
  IFCELLIPSEPROFILEDEF: [3, 4],
  IFCSWEPTDISKSOLID: [1],
  IFCRIGHTCIRCULARCYLINDER: [2],
  IFCRIGHTCIRCULARCONE: [2],
  IFCSPHERE: [1],
  IFCCYLINDRICALSURFACE: [1],
};

/** The largest radius that the file states. */
function largestRadius(records: Records): number {
  let largest = 0;
  for (const [name, places] of Object.entries(radii)) {
    for (const id of records.named(name)) {
      const args = records.arguments(id, name);
      for (const place of places) largest = Math.max(largest, numberOf(args?.[place]) ?? 0);
    }
  }
  return largest;
}
