// The user's document: bodies, their poses, and what is asked about them. It is immutable; a change makes a new one.

import { noStatuses, type Statuses, scaledPose } from '@nearfield/clashes';
import type { JointValues } from '@nearfield/io';
import type { Assembly, BodyId, FileData, Placed, TextFile } from '../engine/types.ts';

export interface DocumentBody {
  readonly id: BodyId;
  readonly name: string;
  readonly file?: string | undefined;
  /** #rrggbb */
  readonly colour: string;
  readonly visible: boolean;
  /** In the document's unit. */
  readonly pose: Float64Array;
  readonly origin: BodyOrigin;
}

/** Where a body comes from: it stays as it was read. */
export interface BodyOrigin {
  /** The hash of the file; undefined for the sample. */
  readonly hash: string | undefined;
  /** Its number among the bodies of the file. */
  readonly index: number;
  readonly name: string;
  /** The way from the root of the file's structure down to it, its own name last. */
  readonly path: readonly string[] | undefined;
  /** Per name in the path, a number that tells equal names apart, if the file has them. */
  readonly pathNodes?: readonly number[] | undefined;
  /** The kind of part, such as IfcWall. */
  readonly type: string | undefined;
  /** The pose in the file, in the unit of the file. */
  readonly pose: Float64Array;
  /** The unit of the file, in metres, if it states one. */
  readonly unit: number | undefined;
}

/** The pose that the file gives the body, in the unit of the document. */
export const filePose = ({ pose, unit: own }: BodyOrigin, unit: number | undefined): Float64Array =>
  scaledPose(pose, (own ?? unit ?? 1) / (unit ?? 1)) as Float64Array;

export interface Section {
  readonly axis: 0 | 1 | 2;
  /** Position of the section through the assembly, 0 … 1. */
  readonly at: number;
  readonly flipped: boolean;
  /** For a box in place of a plane: its smallest x, y, z and its greatest, each 0 … 1 through the assembly. */
  readonly box?: readonly number[] | undefined;
}

/** The joint values of robots, by the names of their files. */
export type JointsByFile = Readonly<Record<string, JointValues>>;

/** A motion: poses of bodies per frame. Every frame has the same bodies. */
export interface DocumentMotion {
  /** The file that it comes from. */
  readonly name: string;
  readonly hash: string;
  /** What the bodies of the document were called when the file was read. */
  readonly names: ReadonlyMap<BodyId, string>;
  readonly frames: readonly ReadonlyMap<BodyId, Float64Array>[];
  /** Per frame, if the file has joint values. */
  readonly joints?: readonly JointsByFile[] | undefined;
}

/** The document at a frame of its motion. */
export function atFrame(document: StudioDocument, frame: number): StudioDocument {
  const { motion } = document;
  const poses = motion?.frames[frame];
  if (poses === undefined) return document;
  const placed = withBodies(document, new Set(poses.keys()), ({ id }) => ({ pose: poses.get(id)! }));
  return { ...placed, frame, joints: motion?.joints?.[frame] ?? document.joints };
}

export interface StudioDocument {
  readonly bodies: readonly DocumentBody[];
  /** The files of the bodies, in the order in which they were read. */
  readonly files: readonly FileData[];
  /** The unit of all lengths, in metres; undefined if nobody said. */
  readonly unit: number | undefined;
  /** Separate bodies closer than this are listed too; 0 lists only pairs that meet. */
  readonly clearance: number;
  /** The depth that is forgiven; 'file' for the rounding of the files; undefined for none. */
  readonly tolerance: number | 'file' | undefined;
  readonly rules: TextFile | undefined;
  /** What people have said about clashes. */
  readonly statuses: Statuses;
  readonly motion: DocumentMotion | undefined;
  /** The frame of the motion that is shown. */
  readonly frame: number;
  /** Joints that are not named stand at 0. */
  readonly joints: JointsByFile;
  readonly section: Section | undefined;
}

export const emptyDocument: StudioDocument = {
  bodies: [],
  files: [],
  unit: undefined,
  clearance: 0,
  tolerance: undefined,
  rules: undefined,
  statuses: noStatuses('nearfield-statuses.json'),
  motion: undefined,
  frame: 0,
  joints: {},
  section: undefined,
};

/** A document with one body changed. */
export function withBody(
  document: StudioDocument,
  id: BodyId,
  change: Partial<Omit<DocumentBody, 'id'>>,
): StudioDocument {
  return withBodies(document, new Set([id]), () => change);
}

/** A document with some bodies changed. */
export function withBodies(
  document: StudioDocument,
  ids: ReadonlySet<BodyId>,
  change: (body: DocumentBody) => Partial<Omit<DocumentBody, 'id'>>,
): StudioDocument {
  return {
    ...document,
    bodies: document.bodies.map(body => (ids.has(body.id) ? { ...body, ...change(body) } : body)),
  };
}

/** What the engines are asked about. */
export function assemblyOf({ bodies, unit, clearance, tolerance, rules }: StudioDocument): Assembly {
  const ids = new Uint32Array(bodies.length);
  const poses = new Float64Array(16 * bodies.length);
  const names = new Map<BodyId, string>();
  for (const [i, { id, pose, name, origin }] of bodies.entries()) {
    ids[i] = id;
    poses.set(pose, 16 * i);
    if (name !== origin.name) names.set(id, name);
  }
  const placed = { ids, poses };
  return { placed, names, unit, clearance: clearance > 0 ? clearance : undefined, tolerance, rules };
}

/** A frame of a motion as the engines take it. */
export const placedIn = (frame: ReadonlyMap<BodyId, Float64Array>): Placed => ({
  ids: Uint32Array.from(frame.keys()),
  poses: Float64Array.from([...frame.values()].flatMap(pose => [...pose])),
});

/** Eight colours of similar lightness, none of them red: red marks where bodies meet. */
export const palette = [
  '#6f94c8',
  '#c9a24f',
  '#79ae7b',
  '#a489c4',
  '#5fb0b0',
  '#b58d72',
  '#8f9aa8',
  '#a7ad55',
] as const;
