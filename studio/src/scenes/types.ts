// A scene moves by itself and answers, step by step, where its bodies meet. It lives in a worker of its own, and the
// page gets plain data.

import type { BodyId, Limits } from '../engine/types.ts';

export interface Paper {
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  /** The paper's figures, in words. */
  readonly figure: string;
  /** Milliseconds per step in the paper, if given. */
  readonly milliseconds?: readonly [number, number] | undefined;
  /** The settings that make the scene as large as the paper's; left out if every setting does. */
  readonly settings?: Settings | undefined;
  /** Penetrating points in the paper. With fewer points here, times are not compared. */
  readonly points?: number | undefined;
}

/** A setting. */
export interface Control {
  readonly name: string;
  readonly label: string;
  /** For a number: from, to, step. For a yes or no: left out. */
  readonly range?: readonly [low: number, high: number, step: number] | undefined;
  readonly value: number | boolean;
  /** Whether it affects only the question and applies at the next step. Otherwise the scene restarts. */
  readonly live?: boolean | undefined;
}

/** The meaning of a colour in the drawing. */
export interface Key {
  readonly colour: string;
  readonly text: string;
}

export interface SceneInfo {
  readonly name: SceneName;
  readonly title: string;
  /** A sentence or two for the viewer. */
  readonly sentence: string;
  readonly paper: Paper;
  /** The fact to look at, by its label. */
  readonly look: string;
  readonly controls: readonly Control[];
  readonly keys: readonly Key[];
  /** The feature that is missing if the page has no GPU. */
  readonly withoutGpu?: string | undefined;
  /** Which bodies are see-through. */
  readonly clear?: 'all' | 'first' | undefined;
  /** The address of "Under the hood" that steps through its method. */
  readonly hood?: string | undefined;
  /** Whether it has sound. */
  readonly sounds?: boolean | undefined;
  readonly up: 'y' | 'z';
  /** The direction that it is first seen from; otherwise as the scene before. */
  readonly seenFrom?: readonly [number, number, number] | undefined;
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
  /** Its index among all meshes sent so far. */
  readonly mesh: number;
  /** Red, green and blue, 0 to 255, if it has its own. */
  readonly colour?: readonly [number, number, number] | undefined;
}

/** The changes since the last frame. Poses are in the order of all current bodies. */
export interface Frame {
  readonly meshes: readonly SceneMesh[];
  readonly added: readonly SceneBody[];
  readonly removed: readonly BodyId[];
  readonly bodies: Uint32Array;
  readonly poses: Float64Array;
  readonly deformed: readonly { readonly id: BodyId; readonly positions: Float32Array }[];
}

/** The answer of a step, and what to draw of it. */
export interface Found {
  /** Milliseconds of the question only. */
  readonly time: number;
  readonly backend: 'cpu' | 'gpu';
  readonly facts: readonly (readonly [label: string, value: number])[];
  /** Bodies that meet another. */
  readonly meeting: Uint32Array;
  /** Triangles that meet, of some bodies: (body, triangle). */
  readonly triangles?: Uint32Array | undefined;
  /** Triangles that an incomplete method missed. */
  readonly missed?: Uint32Array | undefined;
  /** Penetrating points, and per point the way out. */
  readonly points?: Float32Array | undefined;
  readonly ways?: Float32Array | undefined;
  /** Positions of flying stones, if the page does not have them on its GPU. */
  readonly stones?: Float32Array | undefined;
  /** Places that were hit. */
  readonly struck?: Float32Array | undefined;
  /** What explains the facts. */
  readonly note?: string | undefined;
  readonly map?: SceneMap | undefined;
  /** Sound of the step, left and right. */
  readonly sound?: readonly [Float32Array, Float32Array] | undefined;
}

/** A map of distances or of impacts: one value per square, rows from bottom to top. */
export type SceneMap = DistanceData | ImpactData;

export interface DistanceData {
  readonly kind: 'distances';
  readonly columns: number;
  readonly rows: number;
  /** NaN if none was measured. */
  readonly values: Float32Array;
  /** 1 if a line meets the first body, plus 2 if it meets the second. */
  readonly coverage: Uint8Array;
  /** The largest distance of the colour scale; for overlaps it ends at minus a third of it. */
  readonly farthest: number;
  /** The position of the squares: the first corner and the two sides. */
  readonly corner: readonly number[];
  readonly right: readonly number[];
  readonly up: readonly number[];
}

export interface ImpactData {
  readonly kind: 'impacts';
  readonly columns: number;
  readonly rows: number;
  /** The number of hits per square. */
  readonly values: Float32Array;
  /** The object that was hit. */
  readonly name: string;
  /** All objects with a map, by index. */
  readonly names: readonly string[];
}

/** The question that the page asks on its own GPU. */
export interface PageEngine {
  apply(frame: Frame): void;
  ask(settings: Settings): Promise<Found>;
  close(): void;
}

export interface Stepped {
  readonly frame: Frame;
  /** Left out if the page asks. */
  readonly found: Found | undefined;
}

/** The tasks of the scenes' worker. */
export interface SceneTasks {
  start(what: { name: SceneName; settings: Settings }, limits?: Limits): Promise<Stepped>;
  step(settings: Settings, limits?: Limits): Promise<Stepped>;
  stop(): Promise<void>;
}
