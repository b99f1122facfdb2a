// A case and its exact answer as one block of bytes, so that engines in separate processes get the same numbers
// without generating the meshes again: a header in JSON, then plain arrays, each at a multiple of eight bytes.

import { mesh } from 'nearfield';
import { type Case, type Frame, movedTo, type Question, rowsOf } from '../case.ts';

export interface CaseFile {
  readonly job: Case;
  /** The exact pairs of each frame; undefined for build and refit. */
  readonly truth: readonly Uint32Array[] | undefined;
}

const kinds = { Float32Array, Float64Array, Uint16Array, Uint32Array } as const;
type Kind = keyof typeof kinds;
type Numbers = Float32Array | Float64Array | Uint16Array | Uint32Array;

/** Position of an array: its type, its first byte, counted from the end of the header, and its length. */
type Place = readonly [kind: Kind, start: number, length: number];

interface Header {
  readonly scene: string;
  readonly name: string;
  readonly question: Question;
  readonly boxes?: Case['boxes'] | undefined;
  readonly tolerance?: number | undefined;
  readonly localisation?: number | undefined;
  readonly candidates?: number | undefined;
  readonly paper?: Case['paper'];
  readonly images?: Case['images'];
  readonly series?: Case['series'];
  readonly meshes: readonly { readonly positions: Place; readonly indices: Place }[];
  /** The mesh of each body: shared meshes stay shared. */
  readonly bodies: readonly number[];
  readonly poses: Place;
  readonly frames: readonly {
    readonly present?: Place | undefined;
    readonly allPoses?: Place | undefined;
    readonly positions?: Place | undefined;
    readonly allPositions?: readonly Place[] | undefined;
  }[];
  readonly truth?: readonly Place[] | undefined;
}

export function writeCase({ job, truth }: CaseFile): Uint8Array {
  const pieces: Numbers[] = [];
  let end = 0;
  const put = (numbers: Numbers): Place => {
    const start = end;
    pieces.push(numbers);
    end = aligned(start + numbers.byteLength);
    return [numbers.constructor.name as Kind, start, numbers.length];
  };
  const meshes = [...new Set(job.bodies.map(body => body.mesh))];
  const header: Header = {
    scene: job.scene,
    name: job.name,
    question: job.question,
    boxes: job.boxes,
    tolerance: job.tolerance,
    localisation: job.localisation,
    candidates: job.candidates,
    paper: job.paper,
    images: job.images,
    series: job.series,
    meshes: meshes.map(({ positions, indices }) => ({ positions: put(positions), indices: put(indices) })),
    bodies: job.bodies.map(body => meshes.indexOf(body.mesh)),
    poses: put(movedTo(job.bodies.map(({ pose }) => pose)).allPoses),
    frames: job.frames.map(({ present, allPoses, positions, allPositions }) => ({
      present: present && put(present),
      allPoses: allPoses && put(allPoses),
      positions: positions && put(positions),
      allPositions: allPositions?.map(put),
    })),
    truth: truth?.map(put),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const first = aligned(8 + text.length);
  const bytes = new Uint8Array(first + end);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 8);
  let at = first;
  for (const { buffer, byteOffset, byteLength } of pieces) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at = aligned(at + byteLength);
  }
  return bytes;
}

/** The arrays are views of the bytes, which start at a multiple of eight in their buffer. */
export function readCase(bytes: Uint8Array): CaseFile {
  const { buffer, byteOffset } = bytes;
  const length = new DataView(buffer, byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as Header;
  const first = byteOffset + aligned(8 + length);
  const get = <T extends Numbers>([kind, start, count]: Place): T =>
    new kinds[kind](buffer as ArrayBuffer, first + start, count) as T;
  const meshes = header.meshes.map(place =>
    mesh(get<Float32Array>(place.positions), get<Uint32Array>(place.indices)),
  );
  const placed = rowsOf(get<Float64Array>(header.poses));
  const { scene, name, question, boxes, tolerance, localisation, candidates, paper, images, series } = header;
  return {
    job: {
      scene,
      name,
      question,
      bodies: header.bodies.map((index, i) => ({ mesh: meshes[index], pose: placed[i] })),
      frames: header.frames.map(
        (frame): Frame => ({
          ...(frame.present && { present: get<Uint32Array>(frame.present) }),
          ...(frame.allPoses && movedOf(get<Float64Array>(frame.allPoses))),
          ...(frame.positions && { positions: get<Float32Array>(frame.positions) }),
          ...(frame.allPositions && {
            allPositions: frame.allPositions.map(place => get<Float32Array>(place)),
          }),
        }),
      ),
      ...(boxes && { boxes }),
      ...(tolerance && { tolerance }),
      ...(localisation && { localisation }),
      ...(candidates && { candidates }),
      ...(paper && { paper }),
      ...(images && { images }),
      ...(series && { series }),
    },
    truth: header.truth?.map(place => get<Uint32Array>(place)),
  };
}

const movedOf = (allPoses: Float64Array): Frame => ({ allPoses, poses: rowsOf(allPoses) });
const aligned = (bytes: number): number => 8 * Math.ceil(bytes / 8);
