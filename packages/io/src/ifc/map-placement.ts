// Where does the project of an IFC file stand on a map? An IfcMapConversion (in IFC2X3 a property set of that name) says
// where its origin lies in a map's coordinates, where its x axis points there, and how long its lengths are there.

import { directionOf } from '../facts/direction.ts';
import type { Records } from '../part21/records.ts';
import { metresOf } from '../part21/units.ts';
import { numberOf, refOf, refsOf, textOf, type Value } from '../part21/values.ts';
import { unitWords } from './units.ts';

/** The place of a project on a map. */
export interface MapPlacement {
  /** The name of the map's coordinate system, such as `EPSG:2056`. Undefined if the file does not say. */
  readonly system: string | undefined;
  /** What heights are measured from, such as `LN02`. Undefined if the file does not say. */
  readonly verticalDatum: string | undefined;
  /** The unit of the next three, in metres. */
  readonly unit: number;
  /** Where the project's origin lies: eastings, northings, height. */
  readonly origin: readonly [east: number, north: number, height: number];
  /** Where the project's x axis points on the map: to the east and to the north, with length 1. */
  readonly axis: readonly [east: number, north: number];
  /** Metres on the map per metre of the project, in the plane and upwards. Near 1: maps are flat, the earth is not. */
  readonly scale: readonly [horizontal: number, vertical: number];
}

/** The place on the map, if the file states one. Says in `warnings` what cannot be understood. */
export function mapPlacementOf(
  records: Records,
  projectUnit: number | undefined,
  warnings: string[],
): MapPlacement | undefined {
  let found: MapPlacement | undefined;
  let first = 0;
  for (const stated of statements(records)) {
    const { id } = stated;
    const placement = placementOf(stated, projectUnit, what => warnings.push(`#${id} ${what}`));
    if (!placement) continue;
    if (found && JSON.stringify(found) !== JSON.stringify(placement)) {
      warnings.push(`#${id} places the project elsewhere on the map than #${first}, which is used`);
      break;
    }
    found ??= placement;
    first ||= id;
  }
  return found;
}

/** What a file states, as it states it. A value that it leaves out is undefined. */
interface Statement {
  readonly id: number;
  readonly crs: Readonly<Record<'name' | 'vertical', string | undefined>>;
  readonly mapUnit: number | undefined;
  readonly numbers: Readonly<Record<NumberName, number | undefined>>;
}

const numberNames = [
  ...(['Eastings', 'Northings', 'OrthogonalHeight', 'XAxisAbscissa', 'XAxisOrdinate', 'Scale'] as const),
  ...(['FactorX', 'FactorY', 'FactorZ'] as const),
];
type NumberName = (typeof numberNames)[number];

/** The most conversions that are looked at: programs write one per context. */
const mostStatements = 16;

function* statements(records: Records): Generator<Statement> {
  let count = 0;
  for (const name of ['IFCMAPCONVERSION', 'IFCMAPCONVERSIONSCALED', 'IFCRIGIDOPERATION']) {
    for (const id of records.named(name)) {
      if (++count > mostStatements) return;
      const args = records.arguments(id, name) ?? [];
      const crs = records.record(refOf(args[1]) ?? 0)?.args;
      // A rigid operation has the coordinates alone.
      const given = name === 'IFCRIGIDOPERATION' ? args.slice(0, 5) : args;
      yield {
        id,
        crs: { name: textOf(crs?.[0]), vertical: textOf(crs?.[3]) },
        mapUnit: metresOf(records, refOf(crs?.[6]) ?? 0, unitWords),
        numbers: numbersOf(name => given[2 + numberNames.indexOf(name)]),
      };
    }
  }
  if (count > 0 || !records.schema.startsWith('IFC2X')) return;
  const conversion = propertiesOf(records, 'epset_mapconversion');
  if (!conversion) return;
  const crs = propertiesOf(records, 'epset_projectedcrs')?.values;
  yield {
    id: conversion.id,
    crs: { name: textOf(crs?.get('name')), vertical: textOf(crs?.get('verticaldatum')) },
    mapUnit: undefined,
    numbers: numbersOf(name => conversion.values.get(name.toLowerCase())),
  };
}

const numbersOf = (value: (name: NumberName) => Value | undefined): Statement['numbers'] =>
  Object.fromEntries(numberNames.map(name => [name, numberOf(value(name))])) as Statement['numbers'];

/** The single values of the first property set of a name, which is given in small letters. */
function propertiesOf(
  records: Records,
  wanted: string,
): { id: number; values: Map<string, Value> } | undefined {
  for (const id of records.named('IFCPROPERTYSET')) {
    const args = records.arguments(id, 'IFCPROPERTYSET');
    if (textOf(args?.[2])?.toLowerCase() !== wanted) continue;
    const values = new Map<string, Value>();
    for (const property of refsOf(args?.[4])) {
      const single = records.arguments(property, 'IFCPROPERTYSINGLEVALUE');
      const name = textOf(single?.[0]);
      if (name !== undefined) values.set(name.toLowerCase(), single?.[2] ?? null);
    }
    return { id, values };
  }
  return undefined;
}

function placementOf(
  { crs, mapUnit, numbers }: Statement,
  projectUnit: number | undefined,
  warn: (what: string) => void,
): MapPlacement | undefined {
  const { Eastings, Northings, OrthogonalHeight = 0 } = numbers;
  const { XAxisAbscissa = 1, XAxisOrdinate = 0, FactorX = 1, FactorY = 1, FactorZ = 1 } = numbers;
  const refuse = (what: string): undefined => {
    warn(`places the project on a map, but ${what}; positions are those of the project`);
    return undefined;
  };
  if (Eastings === undefined || Northings === undefined) return refuse('it does not say where');
  const axis = directionOf([XAxisAbscissa, XAxisOrdinate]);
  if (!axis) return refuse('its x axis has no direction');
  const origin = [Eastings, Northings, OrthogonalHeight] as const;
  if (!origin.every(Number.isFinite)) return refuse('the place is not finite');
  if (FactorX !== FactorY) return refuse('its factors along x and y differ');
  const unit = mapUnit ?? projectUnit ?? 1;
  const scale = scaleOf(numbers.Scale ?? 1, unit / (projectUnit ?? unit), warn);
  if (scale === undefined) return refuse(`its scale ${numbers.Scale} is not that of a map`);
  const scales = [scale * FactorX, scale * FactorZ] as const;
  if (!scales.every(isMapScale)) return refuse('its factors are not those of a map');
  return {
    system: crs.name,
    verticalDatum: crs.vertical,
    unit,
    origin,
    axis: [axis[0], axis[1]],
    scale: scales,
  };
}

/**
 * Metres on the map per metre of the project. `Scale` gives lengths in the map's unit: for a project in millimetres on a
 * map in metres it is 0.001, times the scale of the map. Many programs leave the unit out of it and write 1. Which of
 * the two is meant can be told, because the scale of a map is near 1.
 */
function scaleOf(stated: number, perUnit: number, warn: (what: string) => void): number | undefined {
  // 0.001 · 1000 is 1, but 0.0003048 · (1 / 0.0003048) need not be.
  const scale = Number((stated * perUnit).toPrecision(15));
  if (isMapScale(scale)) return scale;
  if (!isMapScale(stated)) return undefined;
  warn(`has the scale ${stated}, without the units of the project and the map; it is read as if it had them`);
  return stated;
}

const isMapScale = (scale: number): boolean => scale > 0.9 && scale < 1.1;
