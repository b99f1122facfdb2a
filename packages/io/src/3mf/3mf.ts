// Which bodies does a 3MF package contain? Every item of the build is placed; an object of components gives one body
// per mesh in it, placed by the product of the transforms down to it. Objects that occur several times share a mesh.
// The package is a zip archive (Open Packaging Conventions); its relationships say which part is the model.

import { type Mesh, multiplyPoses, type Pose } from 'nearfield';
import { type PartName, pathOf } from '../facts/part-path.ts';
import { type Bounds, roundingOf } from '../facts/rounding.ts';
import { nameOfUnit } from '../facts/units.ts';
import { baseName, meshOfFile, type PartProperties, type ReadBody, type ReadResult } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';
import { attribute, type XmlElement, XmlReader } from '../xml/xml-reader.ts';
import { type ModelObject, type ModelPart, type Reference, readModel } from './model.ts';
import { Zip } from './zip.ts';

const modelRelationship = 'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel';
const relationshipsUri = 'http://schemas.openxmlformats.org/package/2006/relationships';
/** Components in components, deeper than people build them. */
const deepest = 64;
/** Bytes per step into a component, so that doubling without end is refused before it takes time. */
const stepBytes = 64;
const mostWarnings = 10;

export async function read3mf(file: string, bytes: Uint8Array, budget: Budget): Promise<ReadResult> {
  const zip = await Zip.open(file, bytes, budget);
  return new PackageReader(file, zip, budget).read();
}

interface PlacedMesh {
  readonly mesh: Mesh;
  readonly error: Bounds;
  readonly properties: PartProperties | undefined;
}

class PackageReader {
  private readonly parts = new Map<string, Promise<ModelPart>>();
  private readonly meshes = new Map<ModelObject, PlacedMesh>();
  /** The first warnings, and the number of all. */
  private readonly warnings: string[] = [];
  private warningCount = 0;
  private readonly bodies: ReadBody[] = [];
  private emptyCount = 0;

  constructor(
    private readonly file: string,
    private readonly zip: Zip,
    private readonly budget: Budget,
  ) {}

  async read(): Promise<ReadResult> {
    const root = await this.findModel();
    const { unit, items } = await this.part(root);
    if (items.length === 0) badFile(this.file, root, 'the build has no items');
    for (const item of items) await this.place(item, root, unit, undefined, undefined, []);
    const { file, warnings, warningCount, emptyCount } = this;
    if (warningCount > mostWarnings)
      warnings.push(`${file}: … and ${warningCount - mostWarnings} more of this kind`);
    if (emptyCount > 0) warnings.push(`${file}: ${emptyCount} objects without triangles are skipped`);
    return { bodies: this.bodies, warnings, unit, up: 'z' };
  }

  /** The part that the package's relationships call its 3D model. */
  private async findModel(): Promise<string> {
    const { file, zip } = this;
    const entry = zip.get('_rels/.rels');
    if (!entry) return badFile(file, '', 'the zip archive is not a 3MF package: it has no _rels/.rels');
    const targets: string[] = [];
    const reader = await XmlReader.open(file, entry.name, {
      open(element: XmlElement) {
        if (element.uri !== relationshipsUri || element.local !== 'Relationship') return;
        const target = attribute(element, 'Target');
        if (attribute(element, 'Type') === modelRelationship && target !== undefined) targets.push(target);
      },
      close() {},
    });
    zip.inflate(entry, piece => reader.write(piece));
    reader.end();
    if (targets.length !== 1)
      badFile(file, entry.name, `a 3MF package has one 3D model; this one has ${targets.length}`);
    return this.partName(targets[0], entry.name);
  }

  /** `/3D/a.model` → `3D/a.model`. A part lies in the package, so a path may not leave it. */
  private partName(path: string, place: string): string {
    const parts = path.replace(/^\//, '').split('/');
    if (
      parts.some(part => part === '' || part === '.' || part === '..') ||
      /[\\\p{Cc}]|^[a-z]+:/iu.test(path)
    )
      badFile(this.file, place, `${quoted(path)} is not the name of a part of the package`);
    return parts.join('/');
  }

  private part(name: string): Promise<ModelPart> {
    const key = name.toLowerCase();
    let reading = this.parts.get(key);
    if (!reading) {
      const entry = this.zip.get(name);
      if (!entry) return badFile(this.file, '', `the package has no part ${quoted(name)}`);
      const warn = (what: string) => {
        if (this.warningCount++ < mostWarnings) this.warnings.push(`${this.file}: ${what}`);
      };
      reading = readModel(this.file, entry.name, this.budget, warn, take => this.zip.inflate(entry, take));
      this.parts.set(key, reading);
    }
    return reading;
  }

  /** Makes the bodies of a reference. `above` are the objects that contain it. */
  private async place(
    reference: Reference,
    from: string,
    unit: number,
    parentPose: Pose | undefined,
    parentName: PartName | undefined,
    above: readonly ModelObject[],
  ): Promise<void> {
    const { file, budget } = this;
    budget.spend(stepBytes, reference.line);
    const partPath = reference.path === undefined ? from : this.partName(reference.path, reference.line);
    const part = await this.part(partPath);
    if (part.unit !== unit) {
      const units = `${nameOfUnit(part.unit)}, but that of the model is ${nameOfUnit(unit)}`;
      unsupportedFile(file, partPath, `its unit is ${units}`);
    }
    const object = part.objects.get(reference.id);
    if (!object) {
      return badFile(file, reference.line, `there is no object ${quoted(reference.id)} in ${partPath}`);
    }
    if (above.includes(object)) badFile(file, reference.line, `object ${quoted(object.id)} contains itself`);
    if (above.length >= deepest)
      badFile(file, reference.line, `components are nested more than ${deepest} deep`);
    const pose =
      parentPose && reference.pose
        ? multiplyPoses(parentPose, reference.pose)
        : (reference.pose ?? parentPose);
    if (pose && !pose.every(Number.isFinite))
      badFile(file, reference.line, 'the product of the transforms down to here is not finite');
    const partNumber = reference.partNumber ?? object.partNumber;
    const name = object.name ?? partNumber ?? (this.isAlone(part) ? baseName(file) : `object ${object.id}`);
    const named = { name, parent: parentName };
    if (object.shape) {
      if (object.shape.indices.length === 0) {
        this.emptyCount++;
        return;
      }
      budget.spendBodies(1, name.length, reference.line);
      const { mesh, error, properties } = this.meshOf(object, part, partPath);
      this.bodies.push({
        name,
        mesh,
        pose,
        path: pathOf(named),
        type: object.type,
        properties:
          partNumber === object.partNumber ? properties : { ...properties, partnumber: partNumber! },
        rounding: roundingOf(error, pose),
        meshRounding: roundingOf(error),
      });
      return;
    }
    for (const component of object.components) {
      await this.place(component, partPath, unit, pose, named, [...above, object]);
    }
  }

  private isAlone(part: ModelPart): boolean {
    return part.objects.size === 1 && part.items.length === 1;
  }

  private meshOf(object: ModelObject, part: ModelPart, place: string): PlacedMesh {
    const known = this.meshes.get(object);
    if (known) return known;
    const { positions, indices } = object.shape!;
    const mesh = meshOfFile(this.file, `${place}: object ${object.id}`, positions, indices);
    const values = new Map<string, string>(object.metadata);
    if (object.partNumber !== undefined) values.set('partnumber', object.partNumber);
    const properties = values.size > 0 ? Object.fromEntries(values) : undefined;
    const made = { mesh, error: part.printed.errorOf(positions), properties };
    this.meshes.set(object, made);
    return made;
  }
}
