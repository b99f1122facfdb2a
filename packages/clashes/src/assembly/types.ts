// An assembly and the answer about it, as plain data: what `check` is asked, and what tables, JSON, reports and exchange
// formats are made from. Lengths are in the answer's unit, which is the files' own unless units were brought together.

import type { Method as KnownMethod, Mesh, Pose, Relation } from 'nearfield';

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
  /** The same before the pose, in the mesh's own coordinates: for a motion that gives the body other poses. */
  readonly meshRounding?: number | undefined;
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

/** A method of the library, or its choice. */
export type Method = 'auto' | KnownMethod;

/** A body of the answer. */
export interface AssemblyBody extends Omit<GivenBody, 'mesh' | 'pose' | 'meshRounding'> {
  readonly index: number;
  readonly vertices: number;
  readonly triangles: number;
  readonly closed: boolean;
  /** Closed and consistently oriented: it has an inside. */
  readonly solid: boolean;
  /** Shows a later run whether the body is still the same. Left out unless requested. */
  readonly fingerprint?: Fingerprint | undefined;
}

/** What a body is made of and where it is, in short. Hashes are the first 32 hexadecimal digits of a SHA-256. */
export interface Fingerprint {
  /** The hash of positions and triangles. */
  readonly mesh: string;
  /** The hash of the pose, in a motion of all its poses. Bodies with both hashes equal have the same world positions. */
  readonly pose: string;
  /** Minimum and maximum of x, y and z in the world, over all frames: 6 numbers. Left out for a mesh without triangles. */
  readonly box?: readonly number[] | undefined;
  /** The hash of the sets of the rules that the body is in, named or not. Left out without rules. */
  readonly sets?: string | undefined;
}

/** What was decided about a pair. */
export type Verdict =
  /** It is deeper than the tolerance, or that could not be ruled out. */
  | 'clash'
  /** Separate, but closer than the clearance. */
  | 'too-close'
  /** The surfaces touch; no interior is shared. */
  | 'touching'
  /** Proven not deeper than the tolerance, or within rounding and the tolerance is at least that. */
  | 'within-tolerance'
  /** Proven to overlap by no more than the files' number formats round, and no tolerance was given. */
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
  /**
   * True if no translation within the tolerance parts the two, but a change of their vertices within the rounding of the
   * files does: a part that is wedged between others. `depth` is still that of a translation.
   */
  readonly withinRounding?: boolean | undefined;
  /** The test of the rules that this pair belongs to, by index. */
  readonly test?: number | undefined;
  readonly severity?: Severity | undefined;
  /** Why the two may meet, if the verdict is 'allowed'. */
  readonly reason?: string | undefined;
  /** The clash's identity. It stays the same from run to run. */
  readonly clash?: string | undefined;
  /** With a baseline. */
  readonly change?: Change | undefined;
  /** The depth in the baseline, if the clash has become worse or better. */
  readonly depthBefore?: Bracket | undefined;
  /** What the user's statuses file says of the clash. */
  readonly status?: ClashStatus | undefined;
}

/** What people have decided about a clash. */
export type Status = 'open' | 'accepted' | 'fixed' | 'not-an-issue';

/** The entry of a clash in the statuses file. */
export interface ClashStatus {
  readonly status: Status;
  readonly comment?: string | undefined;
  /** Who said so. */
  readonly by?: string | undefined;
  /** When, as ISO 8601: 2026-11-18 or 2026-11-18T09:30:00Z. */
  readonly date?: string | undefined;
  /** When a check first found it. */
  readonly found?: string | undefined;
  /** The names of the two parts, for people. */
  readonly parts?: readonly string[] | undefined;
  /** A length such as `5mm`, or a number in the answer's unit: deeper than this, an accepted clash is a clash again. */
  readonly depth?: number | string | undefined;
  /** The depth that the last check found, as a length. Accepting the clash accepts this depth. */
  readonly depthFound?: number | string | undefined;
  /** A hash of both parts as the last check found them. */
  readonly geometry?: string | undefined;
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
  /** The unit of all lengths in the answer, in metres; undefined if it is not known. */
  readonly unit?: number | undefined;
  /** That unit's name, such as mm. */
  readonly unitName?: string | undefined;
  /** The depth that was forgiven; 'file' for the rounding of the files. */
  readonly tolerance?: number | 'file' | undefined;
  readonly clearance?: number | undefined;
  /** The tests of the rules, in order; pairs refer to them by index. */
  readonly tests?: readonly TestSummary[] | undefined;
  /** The sets of the rules. */
  readonly sets?: readonly SetSummary[] | undefined;
  /** Sets and allowances of the rules that match nothing, one sentence each. Left out if there is none. */
  readonly warnings?: readonly string[] | undefined;
  /** Sets against sets. */
  readonly matrix?: Matrix | undefined;
  /** Clashes that one person would mend together. */
  readonly groups?: readonly Group[] | undefined;
  /** What became of the baseline's clashes. */
  readonly history?: History | undefined;
  /** The hash of everything that was asked. Answers to equal questions can be reused. */
  readonly question?: string | undefined;
  /** Which pairs fail the check: all clashes, or those that the baseline does not have. */
  readonly failOn?: 'any' | 'new' | undefined;
  readonly files?: readonly GivenFile[] | undefined;
  readonly bodies: readonly AssemblyBody[];
  /** How many pairs that overlap have no depth, because measuring so many would take long. */
  readonly unmeasured?: number | undefined;
  /** Whether the frames are a motion. Otherwise there is exactly one frame. */
  readonly isMotion: boolean;
  readonly frames: readonly AssemblyFrame[];
  readonly timing: Timing;
}

/** Pairs that several machines have found, each a part of them: without verdicts, which depend on all. */
export interface FoundPairs {
  readonly method: string;
  readonly backend: AssemblyAnswer['backend'];
  /** The times of all machines together. */
  readonly timing: Pick<Timing, 'query' | 'judge'>;
  /** Per frame, in order of the bodies: pairs with a body that has moved since the frame before. Frames may still be searched. */
  readonly frames: readonly (readonly FoundPair[] | Promise<readonly FoundPair[]>)[];
}

export interface FoundPair extends AssemblyPair {
  /** Whether a change within rounding is proven to separate the two; undefined if this was not examined. */
  readonly parted?: boolean | undefined;
}

/** Milliseconds. */
export interface Timing {
  readonly read: number;
  /** Opening the backend and adding the bodies; trees are built by the first query. */
  readonly build: number;
  /** Pairs that meet, their relations, and those that are too close. */
  readonly query: number;
  /** Common points, depths and volumes, if they were asked for. */
  readonly judge?: number | undefined;
}

/** A test of the rules. */
export interface TestSummary {
  readonly name: string;
  readonly severity?: Severity | undefined;
  /** In the answer's unit. */
  readonly tolerance?: number | 'file' | undefined;
  readonly clearance?: number | undefined;
  /** Why the test has decided nothing: `matches no pair of bodies: …`. Left out if it could decide something. */
  readonly skipped?: string | undefined;
}

/** A set of the rules, and how many bodies are in it. */
export interface SetSummary {
  readonly name: string;
  readonly bodies: number;
}

/** How many pairs of bodies of one set with bodies of another have which verdict. */
export interface Matrix {
  /** The names of rows and columns. */
  readonly sets: readonly string[];
  /** Cells with a <= b. A cell that is left out is not checked and has no pair. */
  readonly cells: readonly MatrixCell[];
  /** Per body, the indices of its sets. */
  readonly setsOf: readonly (readonly number[])[];
}

export interface MatrixCell {
  /** Indices of two sets. */
  readonly a: number;
  readonly b: number;
  /** Whether any test names a pair of bodies of these sets. */
  readonly checked: boolean;
  /** The number of pairs by verdict. Verdicts without pairs are left out. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** Bounds of the greatest depth of the clashes in the cell. */
  readonly worst?: Bracket | undefined;
}

/** Clashes that one person would mend together. */
export interface Group {
  /** 12 hexadecimal digits. */
  readonly id: string;
  /** For people: `17 clashes with IfcSlab floor 1`. */
  readonly title: string;
  /** The identities of its clashes, the most important first. */
  readonly members: readonly string[];
  /** The body that all members share, by index. */
  readonly part?: number | undefined;
  /** The test that all members belong to, by index. */
  readonly test?: number | undefined;
  /** Bounds of the greatest depth. Left out if no member has a depth. */
  readonly worst?: Bracket | undefined;
  /** The box of the members' places: minimum and maximum of x, y and z. Left out if no member has one. */
  readonly box?: readonly number[] | undefined;
}

/** What became of the baseline's clashes that are no longer clashes, and how many there are of each kind. */
export interface History {
  /** The baseline's file. */
  readonly baseline: string;
  /** The number of clashes per change. */
  readonly counts: Readonly<Record<Change | Gone['outcome'], number>>;
  /** The baseline's clashes that are no longer clashes, in the baseline's order. */
  readonly gone: readonly Gone[];
}

/** A clash of the baseline that is no longer one. */
export interface Gone {
  readonly clash: string;
  readonly outcome: /** Both parts were found, the two were checked, and they no longer clash. */
    | 'resolved'
    /** A part is gone, though its file was read again. */
    | 'removed'
    /** Nobody knows: a file was not given, or today's rules do not ask about the pair. */
    | 'unchecked'
    /** It is still there, and today's rules forgive it. */
    | 'forgiven';
  /** Why, in a few words. */
  readonly reason: string;
  /** The clash as it was. A later run needs this again if the clash was not checked now. */
  readonly was: PastClash;
}

/** A clash of an earlier run, with its parts as they were last seen. */
export interface PastClash {
  readonly a: PastBody;
  readonly b: PastBody;
  readonly relation: Relation;
  readonly distance?: number | undefined;
  readonly depth?: Bracket | undefined;
  /** A world point of both, or in the middle between both. */
  readonly point?: readonly number[] | undefined;
  /** Whether it was found in a motion. */
  readonly inMotion?: boolean | undefined;
}

/** A body of an earlier run. */
export type PastBody = Pick<
  AssemblyBody,
  'name' | 'file' | 'path' | 'id' | 'type' | 'rounding' | 'fingerprint'
>;
