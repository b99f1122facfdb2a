// An assembly and the answer about it, as plain data: what `check` is asked, and what tables, JSON, reports and exchange
// formats are made from. Lengths are in the answer's unit, which is the files' own unless units were brought together.

import type { Mesh, Pose, Relation } from 'nearfield';

/** A body to ask about. What its file says of it is kept for rules, identities and reports. */
export interface GivenBody {
  readonly name: string;
  /** The file it came from, as the user named it, if any. */
  readonly file?: string | undefined;
  readonly mesh: Mesh;
  readonly pose?: Pose | undefined;
  /** The way from the root of the file's structure down to this body, whose name comes last. */
  readonly path?: readonly string[] | undefined;
  /** An identity that outlives an export, such as an IFC GlobalId. */
  readonly id?: string | undefined;
  /** The kind of part, such as `IfcWall`. */
  readonly type?: string | undefined;
  /** Values by name: IFC properties, glTF extras. */
  readonly properties?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** How far a position may be off because the file's number format rounds. 0 if unknown. */
  readonly rounding?: number | undefined;
}

/** A file whose bodies were asked about. */
export interface GivenFile {
  /** As the user named it. */
  readonly name: string;
  /** SHA-256 of its bytes, as hexadecimal text. */
  readonly hash: string;
  /** Its own unit of length, in metres, if it states one. */
  readonly unit?: number | undefined;
  /** How far its triangles may lie from the curved surfaces they stand for, in the answer's unit. */
  readonly tessellation?: number | undefined;
}

/** The poses of bodies per frame. */
export interface Motion {
  /** Whether it is a motion or a single frame. */
  readonly isMotion: boolean;
  /** Per frame, the poses of the bodies it names, by index. The other bodies keep their own. */
  readonly frames: readonly ReadonlyMap<number, Pose>[];
}

export type Method = 'auto' | 'hierarchy' | 'visibility' | 'raycast' | 'layers';

/** A body of the answer. */
export interface AssemblyBody extends Omit<GivenBody, 'mesh' | 'pose'> {
  readonly index: number;
  readonly vertices: number;
  readonly triangles: number;
  readonly closed: boolean;
  /** Closed and consistently oriented: it has an inside. */
  readonly solid: boolean;
}

/** What was decided about a pair. */
export type Verdict =
  /** It is deeper than the tolerance, or that could not be ruled out. */
  | 'clash'
  /** Separate, but closer than the clearance. */
  | 'too-close'
  /** The surfaces touch; no interior is shared. */
  | 'touching'
  /** Proven not deeper than the tolerance. */
  | 'within-tolerance'
  /** Proven not deeper than the rounding of the files' number formats, and no tolerance was given. */
  | 'within-rounding'
  /** A rule or the file allows the two to meet. */
  | 'allowed'
  /** `--ignore` names its relation. */
  | 'ignored'
  /** Accepted, or not an issue, according to the statuses. */
  | 'accepted';

/** How much a rule cares. */
export type Severity = 'critical' | 'major' | 'minor' | 'info';

/** How a clash differs from the baseline's. */
export type Change = 'new' | 'same' | 'worse' | 'better' | 'moved';

/** Two bodies that meet, or are closer than the clearance. */
export interface AssemblyPair {
  readonly a: number;
  readonly b: number;
  /** As seen from a. */
  readonly relation: Relation;
  /** 0 if a method that samples did not ask for triangles. */
  readonly triangleCount: number;
  /** For bodies that are separate but closer to each other than the clearance. */
  readonly distance?: number | undefined;
  /** World points of a and of b at that distance. */
  readonly pointA?: Float64Array | undefined;
  readonly pointB?: Float64Array | undefined;
  /** A world point in both, in the middle of what they have in common; left out unless requested. */
  readonly point?: Float64Array | undefined;
  /** (in a, in b), sorted; left out unless requested. */
  readonly triangles?: Uint32Array | undefined;
  /** Bounds of the depth; 0 and 0 if they only touch. Left out unless requested. */
  readonly depth?: Bracket | undefined;
  /** A translation of b, of length `depth.upper`, that leaves the two without common interior. */
  readonly translation?: Float64Array | undefined;
  /** The volume in common, if both are solids; left out unless requested. */
  readonly volume?: number | undefined;
  /** The area of contact, if both are solids; left out unless requested. */
  readonly area?: number | undefined;
  /** What was decided; left out unless depths were requested. */
  readonly verdict?: Verdict | undefined;
  /** Whether the depth may be on either side of the tolerance: it then counts as deeper. */
  readonly undecided?: boolean | undefined;
  /** The test of the rules that this pair belongs to, by index. */
  readonly test?: number | undefined;
  readonly severity?: Severity | undefined;
  /** Why the two may meet, if the verdict is 'allowed'. */
  readonly reason?: string | undefined;
  /** The clash's identity. It is the same next week. */
  readonly clash?: string | undefined;
  /** With a baseline. */
  readonly change?: Change | undefined;
}

/** Bounds of a length. */
export interface Bracket {
  readonly lower: number;
  readonly upper: number;
}

export interface AssemblyFrame {
  readonly frame: number;
  readonly pairs: readonly AssemblyPair[];
  /** Only for methods that sample. */
  readonly bounds?: SamplingBounds | undefined;
}

/** The error bounds of a method that samples, in units of the files. */
export interface SamplingBounds {
  /** An interference may be missed if no ball of this diameter fits into it. */
  readonly mayMissBelow: number;
  /** Bodies up to this far apart may be reported. */
  readonly mayReportWithin: number;
  /** False if something could not be examined at all. */
  readonly complete: boolean;
}

export interface AssemblyAnswer {
  readonly version: string;
  readonly backend: { readonly kind: 'cpu' | 'gpu'; readonly name: string };
  readonly method: string;
  /** The unit of all lengths in the answer, in metres; undefined if nobody said. */
  readonly unit?: number | undefined;
  /** That unit's name, such as mm. */
  readonly unitName?: string | undefined;
  /** The depth that was forgiven; 'file' for the rounding of the files. */
  readonly tolerance?: number | 'file' | undefined;
  readonly clearance?: number | undefined;
  /** The tests of the rules, in order; pairs refer to them by index. */
  readonly tests?: readonly { readonly name: string }[] | undefined;
  /** Which pairs fail the check: all clashes, or those that the baseline does not have. */
  readonly failOn?: 'any' | 'new' | undefined;
  readonly files?: readonly GivenFile[] | undefined;
  readonly bodies: readonly AssemblyBody[];
  /** Whether the frames are a motion. Otherwise there is exactly one frame. */
  readonly isMotion: boolean;
  readonly frames: readonly AssemblyFrame[];
  /** Milliseconds. `build` covers opening the backend and adding the bodies; trees are built by the first query. */
  readonly timing: { readonly read: number; readonly build: number; readonly query: number };
}
