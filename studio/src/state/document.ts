// What the person has made: bodies and where they are. Never changed in place; a change is a new document.

import type { BodyId } from '../engine/types.ts';

export interface DocumentBody {
  readonly id: BodyId;
  readonly name: string;
  readonly file?: string | undefined;
  /** #rrggbb */
  readonly colour: string;
  readonly visible: boolean;
  readonly pose: Float64Array;
}

export interface Section {
  readonly axis: 0 | 1 | 2;
  /** Of the way through the assembly, 0 … 1. */
  readonly at: number;
  readonly flipped: boolean;
}

export interface StudioDocument {
  readonly bodies: readonly DocumentBody[];
  /** Separate bodies nearer than this are told too; 0: only what meets. */
  readonly clearance: number;
  readonly section: Section | undefined;
}

export const emptyDocument: StudioDocument = { bodies: [], clearance: 0, section: undefined };

/** A document in which one body is another. */
export function withBody(
  document: StudioDocument,
  id: BodyId,
  change: Partial<Omit<DocumentBody, 'id'>>,
): StudioDocument {
  return {
    ...document,
    bodies: document.bodies.map(body => (body.id === id ? { ...body, ...change } : body)),
  };
}

/** Eight colours of about one lightness, none of them red: red is where bodies meet. */
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
