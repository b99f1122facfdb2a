// A scene: something that moves by itself and is asked, step by step, where it meets. It lives in a worker of its own; what
// the page gets is plain data.

import type { BodyId, Limits } from '../engine/types.ts';

export interface Paper {
  readonly authors: string;
  readonly year: number;
  /** What the paper measured, in words. */
  readonly figure: string;
  /** Milliseconds of a step there, where the paper has them. */
  readonly milliseconds?: readonly [number, number] | undefined;
  /** The settings that make the scene as large as the paper's; left out where every setting does. */
  readonly settings?: Readonly<Record<string, number>> | undefined;
  /** Penetrating points there were in that time: of fewer, times are not compared. */
  readonly points?: number | undefined;
}

/** Something that can be set. */
export interface Control {
  readonly name: string;
  readonly label: string;
  /** Of a number: from, to, step. Of a yes or no: nothing. */
  readonly range?: readonly [low: number, high: number, step: number] | undefined;
  readonly value: number | boolean;
  /** Whether it is set of the question alone, and takes effect at the next step; else the scene begins anew. */
  readonly live?: boolean | undefined;
}

/** What a colour of the drawing means. */
export interface Key {
  readonly colour: string;
  readonly text: string;
}

export interface SceneInfo {
  readonly name: SceneName;
  readonly title: string;
  /** What is to be seen, in a sentence or two. */
  readonly sentence: string;
  readonly paper: Paper;
  readonly controls: readonly Control[];
  readonly keys: readonly Key[];
  /** What is missing on a page that has no GPU to ask. */
  readonly withoutGpu?: string | undefined;
  /** Which bodies are seen through, to see what is in them. */
  readonly clear?: 'all' | 'first' | undefined;
  /** Where its method can be stepped through: a method and bodies, in the address of "Under the hood". */
  readonly hood?: string | undefined;
  /** Whether it can be heard. */
  readonly sounds?: boolean | undefined;
  readonly up: 'y' | 'z';
}

export type SceneName =
  | 'rotating'
  | 'boxes'
  | 'breaking'
  | 'leaves'
  | 'bunnies'
  | 'jaws'
  | 'tori'
  | 'rings'
  | 'heart'
  | 'cloth'
  | 'hail';

export type Settings = Readonly<Record<string, number | string | boolean>>;

/** A mesh that bodies of a scene share. */
export interface SceneMesh {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

export interface SceneBody {
  readonly id: BodyId;
  /** Its place among all meshes sent so far. */
  readonly mesh: number;
  /** Red, green and blue, 0 to 255, where it has its own. */
  readonly colour?: readonly [number, number, number] | undefined;
}

/** What changed since the last frame; poses in the order of all bodies there are. */
export interface Frame {
  readonly meshes: readonly SceneMesh[];
  readonly added: readonly SceneBody[];
  readonly removed: readonly BodyId[];
  readonly bodies: Uint32Array;
  readonly poses: Float64Array;
  readonly deformed: readonly { readonly id: BodyId; readonly positions: Float32Array }[];
}

/** What a step found, and what is drawn of it. */
export interface Found {
  /** Milliseconds of the question alone. */
  readonly time: number;
  readonly backend: 'cpu' | 'gpu';
  readonly facts: readonly (readonly [label: string, value: number])[];
  /** Bodies that meet another. */
  readonly meeting: Uint32Array;
  /** Triangles that meet, of some bodies: (body, triangle). */
  readonly triangles?: Uint32Array | undefined;
  /** Triangles that a method that may miss did not find. */
  readonly missed?: Uint32Array | undefined;
  /** Penetrating points, and from each the way out. */
  readonly points?: Float32Array | undefined;
  readonly ways?: Float32Array | undefined;
  /** Places of what is in the air, where the page does not have them on its GPU. */
  readonly stones?: Float32Array | undefined;
  /** Places that were hit. */
  readonly struck?: Float32Array | undefined;
  readonly map?: SceneMap | undefined;
  /** What is to be heard of the step, left and right. */
  readonly sound?: readonly [Float32Array, Float32Array] | undefined;
}

/** A map of distances, or of impacts: a value a square, rows from below. */
export type SceneMap = DistanceData | ImpactData;

export interface DistanceData {
  readonly kind: 'distances';
  readonly columns: number;
  readonly rows: number;
  /** NaN where none was measured. */
  readonly values: Float32Array;
  /** 1 where a line meets the first body, plus 2 where it meets the second. */
  readonly coverage: Uint8Array;
  /** Colours change up to here, and in overlaps down to minus a third of it. */
  readonly farthest: number;
  /** Where the squares lie: the first corner, and both sides from there. */
  readonly corner: readonly number[];
  readonly right: readonly number[];
  readonly up: readonly number[];
}

export interface ImpactData {
  readonly kind: 'impacts';
  readonly columns: number;
  readonly rows: number;
  /** How many hit a square. */
  readonly values: Float32Array;
  /** What was hit. */
  readonly name: string;
  /** Everything that has a map, by its place. */
  readonly names: readonly string[];
}

/** What is asked in the page, on the GPU that it draws with. */
export interface PageEngine {
  apply(frame: Frame): void;
  ask(settings: Settings): Promise<Found>;
  close(): void;
}

export interface Stepped {
  readonly frame: Frame;
  /** Left out where the page asks. */
  readonly found: Found | undefined;
}

/** The work of the scenes' worker. */
export interface SceneTasks {
  start(what: { name: SceneName; settings: Settings }, limits?: Limits): Promise<Stepped>;
  step(settings: Settings, limits?: Limits): Promise<Stepped>;
  stop(): Promise<void>;
}
