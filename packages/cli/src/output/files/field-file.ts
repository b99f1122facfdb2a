// Distance fields as files for other programs: VTK's ImageData (ParaView, VTK, PyVista) with its arrays appended, or
// the bare arrays with a JSON description beside them. Each slab is written to its place as it comes, so only one
// slab is in memory.

import type { FileHandle } from 'node:fs/promises';
import type { DistanceField, Grid } from 'nearfield';

/** The arrays of a file, in file order. */
const arrays = [
  { name: 'distance', type: 'Float32', bytes: 4 },
  { name: 'owner', type: 'UInt32', bytes: 4 },
  { name: 'feature', type: 'UInt8', bytes: 1 },
] as const;

export type FieldFormat = 'vti' | 'raw';

export class FieldFile {
  readonly #handle: FileHandle;
  /** The byte offset of each array. */
  readonly #starts: number[] = [];
  readonly #sliceSamples: number;

  /** Writes the part before the arrays. The caller closes the file. */
  static async begin(handle: FileHandle, format: FieldFormat, grid: Grid): Promise<FieldFile> {
    const file = new FieldFile(handle, grid);
    const samples = grid.dimensions[0] * grid.dimensions[1] * grid.dimensions[2];
    let at = 0;
    if (format === 'vti') {
      const head = new TextEncoder().encode(`${header(grid, samples)}_`);
      await writeAll(handle, head, 0);
      at = head.length;
    }
    for (const { bytes } of arrays) {
      if (format === 'vti') {
        await writeAll(handle, new Uint8Array(new BigUint64Array([BigInt(samples * bytes)]).buffer), at);
        at += 8;
      }
      file.#starts.push(at);
      at += samples * bytes;
    }
    if (format === 'vti') {
      await writeAll(handle, new TextEncoder().encode('\n  </AppendedData>\n</VTKFile>\n'), at);
    }
    return file;
  }

  private constructor(handle: FileHandle, { dimensions }: Grid) {
    this.#handle = handle;
    this.#sliceSamples = dimensions[0] * dimensions[1];
  }

  async add(slab: DistanceField): Promise<void> {
    const first = slab.firstSlice * this.#sliceSamples;
    const contents = [slab.distance, slab.owner, slab.feature];
    for (let i = 0; i < arrays.length; i++) {
      const { buffer, byteOffset, byteLength } = contents[i];
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      await writeAll(this.#handle, bytes, this.#starts[i] + first * arrays[i].bytes);
    }
  }
}

/** Describes a file of bare arrays. */
export function rawDescription(grid: Grid, file: string): Record<string, unknown> {
  const samples = grid.dimensions[0] * grid.dimensions[1] * grid.dimensions[2];
  let offset = 0;
  return {
    file,
    dimensions: grid.dimensions,
    origin: firstSample(grid),
    spacing: grid.cell,
    order: 'x fastest, then y, then z',
    byteOrder: 'little-endian',
    arrays: arrays.map(({ name, type, bytes }) => {
      const start = offset;
      offset += samples * bytes;
      return { name, type, offset: start };
    }),
  };
}

export const firstSample = ({ origin, cell }: Grid): number[] => origin.map(x => x + cell / 2);

function header(grid: Grid, samples: number): string {
  const extent = grid.dimensions.map(count => `0 ${count - 1}`).join(' ');
  let offset = 0;
  const lines = arrays.map(({ name, type, bytes }) => {
    const line = `        <DataArray type="${type}" Name="${name}" format="appended" offset="${offset}"/>\n`;
    offset += 8 + samples * bytes;
    return line;
  });
  return `<?xml version="1.0"?>
<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">
  <ImageData WholeExtent="${extent}" Origin="${firstSample(grid).join(' ')}" Spacing="${grid.cell} ${grid.cell} ${grid.cell}">
    <Piece Extent="${extent}">
      <PointData Scalars="distance">
${lines.join('')}      </PointData>
    </Piece>
  </ImageData>
  <AppendedData encoding="raw">
    `;
}

/** One call may write fewer bytes than it is given. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
