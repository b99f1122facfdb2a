// Which objects does one model part of a 3MF package hold? Reads the XML element by element (3MF Core Specification
// 1.3, chapters 3 to 5, and the production extension 1.1 for parts in other files). Materials, colours, textures and
// print settings are skipped. What would change the shape and is not read here is refused if the file requires it, and
// warned about otherwise.

import type { Pose } from 'nearfield';
import { findUnit } from '../facts/units.ts';
import type { Budget } from '../reading/budget.ts';
import { quoted, unsupportedFile } from '../reading/file-error.ts';
import { GrowingFloats, GrowingIndices } from '../reading/growing.ts';
import { PrintedDigits } from '../text/printed-digits.ts';
import {
  attribute,
  attributeOf,
  tag,
  type XmlElement,
  XmlReader,
  xmlNumber,
  xmlNumbers,
} from '../xml/xml-reader.ts';

const core = 'http://schemas.microsoft.com/3dmanufacturing/core/2015/02';
const production = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';
/** Extensions that leave the triangles as they are. */
const harmless =
  /^http:\/\/schemas\.microsoft\.com\/3dmanufacturing\/(core|production|material|trianglesets)\/\d{4}\/\d{2}$/;
/** Elements of extensions that would change the shape. */
const shaping = new Set([
  'beamlattice',
  'slicestack',
  'booleanshape',
  'displacementmesh',
  'levelset',
  'volumetricstack',
]);
const unitNames = new Set(['micron', 'millimeter', 'centimeter', 'inch', 'foot', 'meter']);
const objectTypes = new Set(['model', 'solidsupport', 'support', 'surface', 'other']);

/** Which core elements each may contain: an element in the wrong place or with a wrong name is not lost. */
const children: Readonly<Record<string, ReadonlySet<string>>> = {
  '': new Set(['model']),
  model: new Set(['metadata', 'resources', 'build']),
  resources: new Set(['object', 'basematerials']),
  basematerials: new Set(['base']),
  object: new Set(['metadatagroup', 'mesh', 'components']),
  metadatagroup: new Set(['metadata']),
  mesh: new Set(['vertices', 'triangles']),
  vertices: new Set(['vertex']),
  triangles: new Set(['triangle']),
  components: new Set(['component']),
  build: new Set(['item']),
  item: new Set(['metadatagroup']),
};

/** Bytes that an object, a component or an item takes beside its arrays and names. */
const recordBytes = 256;
const longestMetadata = 4096;
const longestName = 256;
const mostMetadata = 64;

/** A reference to an object, with a place: an item of the build, or a component of an object. */
export interface Reference {
  readonly id: string;
  /** The part with the object, if it is another. */
  readonly path: string | undefined;
  readonly pose: Pose | undefined;
  readonly partNumber: string | undefined;
  /** The line of the reference, for messages. */
  readonly line: string;
}

export interface ModelObject {
  readonly id: string;
  readonly type: string;
  readonly name: string | undefined;
  readonly partNumber: string | undefined;
  readonly metadata: Map<string, string>;
  /** The triangles of the object, or undefined if it consists of components. */
  shape: { readonly positions: Float64Array; readonly indices: Uint32Array } | undefined;
  readonly components: Reference[];
}

export interface ModelPart {
  /** In metres. */
  readonly unit: number;
  readonly objects: ReadonlyMap<string, ModelObject>;
  readonly items: readonly Reference[];
  /** The digits of the coordinates. */
  readonly printed: PrintedDigits;
}

/** Reads the model that `feed` hands to it in pieces. `place` is the name of the part. */
export async function readModel(
  file: string,
  place: string,
  budget: Budget,
  warn: (what: string) => void,
  feed: (take: (piece: Uint8Array) => void) => void,
): Promise<ModelPart> {
  const model = new ModelReader(file, budget, warn);
  const reader = await XmlReader.open(file, place, model);
  model.reader = reader;
  feed(piece => reader.write(piece));
  reader.end();
  return model.finish();
}

class ModelReader {
  reader!: XmlReader;
  private unit = 0.001;
  private readonly objects = new Map<string, ModelObject>();
  private readonly items: Reference[] = [];
  private readonly printed = new PrintedDigits();
  /** The core elements that are open, outermost first. */
  private readonly inside: string[] = [];
  /** The number of open elements of other namespaces, and of those in them: they are skipped. */
  private skipped = 0;
  private object: ModelObject | undefined;
  private vertices = new GrowingFloats();
  private triangles = new GrowingIndices();
  private metadata: { name: string; text: string } | undefined;

  constructor(
    private readonly file: string,
    private readonly budget: Budget,
    private readonly warn: (what: string) => void,
  ) {}

  open(element: XmlElement): void {
    if (this.skipped > 0 || element.uri !== core) {
      this.skip(element);
      return;
    }
    const { local } = element;
    const parent = this.inside.at(-1) ?? '';
    if (!children[parent]?.has(local)) this.reader.fail(`${tag(element)} is not allowed here`);
    this.inside.push(local);
    switch (local) {
      case 'vertex':
        this.vertex(element);
        break;
      case 'triangle':
        this.triangle(element);
        break;
      case 'model':
        this.model(element);
        break;
      case 'object':
        this.beginObject(element);
        break;
      case 'mesh':
        if (this.object!.shape) this.reader.fail('an object has a second mesh');
        this.object!.shape = none;
        this.vertices = new GrowingFloats();
        this.triangles = new GrowingIndices();
        break;
      case 'component':
        this.object!.components.push(this.reference(element));
        break;
      case 'item':
        this.items.push(this.reference(element));
        break;
      case 'metadata': {
        const name = attribute(element, 'name');
        if (this.object && name && name.length <= longestName) this.metadata = { name, text: '' };
      }
    }
  }

  close(element: XmlElement): void {
    if (this.skipped > 0) {
      this.skipped--;
      return;
    }
    this.inside.pop();
    const { local } = element;
    if (local === 'mesh') this.endMesh();
    else if (local === 'object') this.endObject();
    else if (local === 'metadata' && this.metadata) {
      const { name, text } = this.metadata;
      const { metadata } = this.object ?? {};
      if (metadata && metadata.size < mostMetadata && text.length <= longestMetadata)
        metadata.set(name, text.trim());
      this.metadata = undefined;
    }
  }

  text(text: string): void {
    if (this.skipped > 0) return;
    if (this.metadata) this.metadata.text += text;
    // A triangle whose tag is damaged is text.
    else if (this.inside.at(-1) !== 'metadata' && text.trim() !== '')
      this.reader.fail(`unexpected text: ${quoted(text.trim())}`);
  }

  finish(): ModelPart {
    return { unit: this.unit, objects: this.objects, items: this.items, printed: this.printed };
  }

  private skip(element: XmlElement): void {
    if (this.skipped++ === 0) {
      if (this.inside.length === 0)
        this.reader.fail(
          `a 3MF model must begin with <model>, not with ${tag(element)} of ${quoted(element.uri)}`,
        );
      if (shaping.has(element.local))
        this.warn(`${this.reader.here}: ${tag(element)} is skipped: only meshes are read`);
    }
  }

  private model(element: XmlElement): void {
    const unit = attribute(element, 'unit') ?? 'millimeter';
    const metres = unitNames.has(unit) ? findUnit(unit) : undefined;
    this.unit = metres ?? this.reader.fail(`${quoted(unit)} is not a unit of 3MF`);
    for (const prefix of (attribute(element, 'requiredextensions') ?? '').split(/\s+/)) {
      if (prefix === '') continue;
      const uri = Object.hasOwn(element.ns, prefix)
        ? element.ns[prefix]
        : this.reader.fail(`the required extension ${quoted(prefix)} is not declared`);
      if (!harmless.test(uri))
        unsupportedFile(
          this.file,
          this.reader.here,
          `the file requires ${nameOf(uri)}, which is not supported`,
        );
    }
  }

  private beginObject(element: XmlElement): void {
    const id = this.need(element, 'id');
    if (this.objects.has(id)) this.reader.fail(`a second object ${quoted(id)}`);
    const type = attribute(element, 'type') ?? 'model';
    if (!objectTypes.has(type)) this.reader.fail(`${quoted(type)} is not a type of object`);
    const name = attribute(element, 'name') || undefined;
    const partNumber = attribute(element, 'partnumber') || undefined;
    this.budget.spend(recordBytes + 2 * ((name?.length ?? 0) + (partNumber?.length ?? 0)), this.reader.here);
    this.object = { id, type, name, partNumber, metadata: new Map(), shape: undefined, components: [] };
  }

  private endObject(): void {
    const object = this.object!;
    this.object = undefined;
    if (object.shape && object.components.length > 0)
      this.reader.fail(`object ${quoted(object.id)} has both a mesh and components`);
    if (!object.shape && object.components.length === 0)
      this.reader.fail(`object ${quoted(object.id)} has neither a mesh nor components`);
    this.objects.set(object.id, object);
  }

  private reference(element: XmlElement): Reference {
    const partNumber = attribute(element, 'partnumber') || undefined;
    this.budget.spend(recordBytes + 2 * (partNumber?.length ?? 0), this.reader.here);
    return {
      id: this.need(element, 'objectid'),
      path: attributeOf(element, production, 'path'),
      pose: this.pose(element),
      partNumber,
      line: this.reader.here,
    };
  }

  /**
   * Twelve numbers, row by row of a matrix of 4 rows and 3 columns, applied to positions as rows: x' = x·m00 + y·m10 +
   * z·m20 + m30. Its rows are the columns of a pose, so in order they are the pose without its last row.
   */
  private pose(element: XmlElement): Pose | undefined {
    const text = attribute(element, 'transform');
    if (text === undefined) return undefined;
    const m = xmlNumbers(text, 12);
    if (!m) return this.reader.fail(`the transform ${quoted(text)} is not 12 numbers`);
    return Float64Array.of(
      m[0],
      m[1],
      m[2],
      0,
      m[3],
      m[4],
      m[5],
      0,
      m[6],
      m[7],
      m[8],
      0,
      m[9],
      m[10],
      m[11],
      1,
    );
  }

  private vertex(element: XmlElement): void {
    this.vertices.push3(
      this.coordinate(element, 'x'),
      this.coordinate(element, 'y'),
      this.coordinate(element, 'z'),
    );
  }

  private coordinate(element: XmlElement, axis: string): number {
    const text = this.need(element, axis);
    const value = xmlNumber(text);
    if (!Number.isFinite(value)) this.reader.fail(`${axis} is ${quoted(text)}, which is not a finite number`);
    this.printed.seeText(text, value);
    return value;
  }

  private triangle(element: XmlElement): void {
    this.triangles.push3(this.corner(element, 'v1'), this.corner(element, 'v2'), this.corner(element, 'v3'));
  }

  private corner(element: XmlElement, name: string): number {
    const text = this.need(element, name);
    const index = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    const count = this.vertices.length / 3;
    // The vertices of a mesh come before its triangles.
    if (!(index >= 0 && index < count))
      this.reader.fail(`${name} refers to vertex ${quoted(text)}, but the mesh has ${count}`);
    return index;
  }

  private endMesh(): void {
    const { vertices, triangles } = this;
    this.budget.spendMesh(vertices.length / 3, 8, triangles.length, this.reader.here);
    this.object!.shape = { positions: vertices.finish(), indices: triangles.finish() };
  }

  private need(element: XmlElement, name: string): string {
    return attribute(element, name) ?? this.reader.fail(`${tag(element)} has no ${name}`);
  }
}

/** The shape of an object whose mesh is being read. */
const none = { positions: new Float64Array(0), indices: new Uint32Array(0) };

/** An extension by the word in its address, and the address. */
const nameOf = (uri: string): string => {
  const word = /3dmanufacturing\/([a-z]+)\//.exec(uri)?.[1];
  return word ? `the extension ${word} (${uri.slice(0, 120)})` : `the extension ${quoted(uri)}`;
};
