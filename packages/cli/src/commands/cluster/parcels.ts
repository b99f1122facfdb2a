// A parcel: all that a worker needs for one tile. It has the tile, its bodies with their poses, and their meshes, but for
// large ones, which lie in the store by themselves, once for all tiles. So a worker reads what its tile needs, and no model.
//
// A parcel, and a mesh in the store, is JSON and then numbers: the length of the JSON as 8 hexadecimal digits, the JSON, and the arrays
// that it speaks of, one after the other. Numbers are little-endian, as in the memory that WebAssembly shares with us.

import { type AllowedBodies, JsonReader, type Motion, type PlacedBody, type Tile } from '@nearfield/clashes';
import type { Store } from '@nearfield/cluster';
import { type Mesh, mesh, NearfieldError, type Pose } from 'nearfield';

/** Meshes with more bytes than this have an entry of their own in the store. */
const ownEntry = 2 ** 16;

/** The bodies of a tile and what is known about them. */
export interface Parcel {
  readonly tile: Tile;
  readonly bodies: readonly PlacedBody[];
  readonly motion: Motion | undefined;
  readonly allowed: readonly AllowedBodies[];
  /** The unit of all lengths, in metres. */
  readonly unit: number | undefined;
}

type Numbers = Float32Array | Float64Array | Uint32Array;

/** Writes the parcels of a run. A mesh is stored once. */
export class ParcelWriter {
  readonly #hashes = new Map<Mesh, Promise<string>>();

  constructor(private readonly store: Store) {}

  /** Puts a parcel into the store and returns its hash. */
  async put({ tile, bodies, motion, allowed, unit }: Parcel): Promise<string> {
    const meshes = [...new Set(bodies.map(body => body.mesh))];
    const places = new Map(meshes.map((each, i) => [each, i]));
    const arrays: Numbers[] = [];
    const described = bodies.map(({ mesh: shape, pose, ...body }) => {
      if (pose !== undefined) arrays.push(Float64Array.from(pose));
      const { name, file, path, id, type, properties, rounding, meshRounding } = body;
      const known = { name, file, path, id, type, properties, rounding, meshRounding };
      return { ...known, mesh: places.get(shape), isPosed: pose !== undefined };
    });
    const frames = motion?.frames.map(frame => {
      for (const pose of frame.values()) arrays.push(Float64Array.from(pose));
      return [...frame.keys()];
    });
    const kept: unknown[] = [];
    for (const each of meshes) {
      if (each.positions.byteLength + each.indices.byteLength <= ownEntry) {
        arrays.push(...numbersOf(each));
        kept.push(sizeOf(each));
      } else kept.push({ hash: await this.#hashOf(each) });
    }
    arrays.push(tile.bodies, tile.space);
    const { firstFrame, endFrame, work } = tile;
    const about = { unit, allowed, isMotion: motion?.isMotion, frames, meshes: kept, bodies: described };
    return this.store.put(packed({ tile: { firstFrame, endFrame, work }, ...about }, arrays));
  }

  #hashOf(each: Mesh): Promise<string> {
    let hash = this.#hashes.get(each);
    if (hash === undefined)
      this.#hashes.set(each, (hash = this.store.put(packed(sizeOf(each), numbersOf(each)))));
    return hash;
  }
}

/** Reads the parcels of tiles. Large meshes that the next tile has too are not read again. */
export class ParcelReader {
  #meshes = new Map<string, Mesh>();

  constructor(private readonly store: Store) {}

  /** Throws 'bad-file' if the parcel is not one. */
  async get(hash: string): Promise<Parcel> {
    const { content, numbers } = unpacked(`parcel ${hash}`, await this.store.get(hash));
    const pose = (): Pose => numbers.take(Float64Array, 16);
    const items = content.need('bodies').items();
    const poses = items.map(at => (at.need('isPosed').value === true ? pose() : undefined));
    const count = items.length;
    const frames = content
      .get('frames')
      ?.items()
      .map(frame => new Map(frame.items().map(at => [at.index(count), pose()])));
    const used = new Map<string, Mesh>();
    const meshes: Mesh[] = [];
    for (const at of content.need('meshes').items()) meshes.push(await this.#mesh(at, numbers, used));
    this.#meshes = used;
    const at = content.need('tile');
    const [firstFrame, endFrame] = [at.need('firstFrame'), at.need('endFrame')].map(each =>
      each.index(2 ** 31),
    );
    const range = { firstFrame, endFrame, work: at.need('work').size() };
    const members = numbers.take(Uint32Array, count);
    const tile = { ...range, bodies: members, space: numbers.take(Float64Array, 6) };
    numbers.end();
    const known = frames?.length ?? 1;
    if (endFrame - Math.max(firstFrame - 1, 0) !== known) at.fail(`the parcel has ${known} frames`);
    return {
      tile,
      bodies: items.map((body, i) => bodyOf(body, meshes, poses[i])),
      motion: frames && { isMotion: content.need('isMotion').value === true, frames },
      allowed: content
        .need('allowed')
        .items()
        .map(pair => ({
          ...{ a: pair.need('a').index(count), b: pair.need('b').index(count) },
          reason: pair.need('reason').text(),
        })),
      unit: content.get('unit')?.size(),
    };
  }

  async #mesh(at: JsonReader, numbers: NumberReader, used: Map<string, Mesh>): Promise<Mesh> {
    const hash = at.get('hash')?.text();
    if (hash === undefined) return numbers.mesh(at);
    let known = used.get(hash) ?? this.#meshes.get(hash);
    if (known === undefined) {
      const { content, numbers: own } = unpacked(`mesh ${hash}`, await this.store.get(hash));
      known = own.mesh(content);
      own.end();
    }
    used.set(hash, known);
    return known;
  }
}

function bodyOf(at: JsonReader, meshes: readonly Mesh[], pose: Pose | undefined): PlacedBody {
  const text = (name: string) => at.get(name)?.text();
  return {
    ...{ name: at.need('name').text(), file: text('file'), id: text('id'), type: text('type') },
    path: at
      .get('path')
      ?.items()
      .map(each => each.text()),
    properties: propertiesOf(at.get('properties')),
    ...{ rounding: roundingIn(at.get('rounding')), meshRounding: roundingIn(at.get('meshRounding')) },
    ...{ mesh: meshes[at.need('mesh').index(meshes.length)], pose },
  };
}

function propertiesOf(at: JsonReader | undefined): PlacedBody['properties'] {
  if (at === undefined) return undefined;
  const values = Array.from(at.entries(), ([name, each]) => [name, numberIn(each) ?? each.value]);
  const wrong = values.find(([, value]) => !['string', 'number', 'boolean'].includes(typeof value));
  if (wrong !== undefined) at.fail(`"${wrong[0]}" is no text, number, true or false`);
  return Object.fromEntries(values);
}

/** Numbers that JSON cannot write, and −0, which it writes as 0. In a parcel each is an object with its name. */
const unwritten = new Map([NaN, Infinity, -Infinity, -0].map(value => [nameOf(value), value]));

function nameOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const written = (_: string, value: unknown): unknown =>
  typeof value === 'number' && unwritten.has(nameOf(value)) ? { number: nameOf(value) } : value;

/** Such a number; undefined if it is anything else. */
function numberIn(at: JsonReader): number | undefined {
  if (!at.isObject) return undefined;
  const name = at.need('number');
  return unwritten.get(name.oneOf([...unwritten.keys()]));
}

const roundingIn = (at: JsonReader | undefined): number | undefined => at && (numberIn(at) ?? at.size());

const sizeOf = ({ positions, indices }: Mesh) => ({
  ...{ positions: positions.length, indices: indices.length, isSingle: positions instanceof Float32Array },
});

const numbersOf = ({ positions, indices }: Mesh): Numbers[] => [positions, Uint32Array.from(indices)];

const digits = 8;

function packed(content: unknown, arrays: readonly Numbers[]): Uint8Array {
  const text = Buffer.from(JSON.stringify(content, written));
  const bytes = arrays.map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return Buffer.concat([Buffer.from(text.length.toString(16).padStart(digits, '0')), text, ...bytes]);
}

function unpacked(name: string, bytes: Uint8Array): { content: JsonReader; numbers: NumberReader } {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = all.toString('latin1', 0, digits);
  const end = digits + Number.parseInt(length, 16);
  if (!(/^[0-9a-f]{8}$/.test(length) && end <= all.length))
    throw new NearfieldError('bad-file', `${name}: does not begin with the length of its description`);
  const content = JsonReader.read(name, all.toString('utf8', digits, end));
  return { content, numbers: new NumberReader(name, all.subarray(end)) };
}

class NumberReader {
  #at = 0;

  constructor(
    private readonly name: string,
    private readonly bytes: Uint8Array,
  ) {}

  take<A extends Numbers>(
    type: { new (buffer: ArrayBuffer): A; readonly BYTES_PER_ELEMENT: number },
    count: number,
  ): A {
    const end = this.#at + type.BYTES_PER_ELEMENT * count;
    if (!(end <= this.bytes.length)) throw new NearfieldError('bad-file', `${this.name}: ends too early`);
    // A copy begins where its numbers may begin.
    const array = new type(Uint8Array.prototype.slice.call(this.bytes, this.#at, end).buffer);
    this.#at = end;
    return array;
  }

  mesh(at: JsonReader): Mesh {
    const [positions, indices] = [at.need('positions').index(2 ** 40), at.need('indices').index(2 ** 40)];
    const isSingle = at.need('isSingle').value === true;
    const given = isSingle ? this.take(Float32Array, positions) : this.take(Float64Array, positions);
    return mesh(given, this.take(Uint32Array, indices));
  }

  end(): void {
    const left = this.bytes.length - this.#at;
    if (left !== 0) throw new NearfieldError('bad-file', `${this.name}: has ${left} bytes too many`);
  }
}
