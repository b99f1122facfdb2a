// The user's document: bodies and their poses. It is immutable; a change makes a new document.

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
  /** Position of the section through the assembly, 0 … 1. */
  readonly at: number;
  readonly flipped: boolean;
  /** For a box in place of a plane: its smallest x, y, z and its greatest, each 0 … 1 through the assembly. */
  readonly box?: readonly number[] | undefined;
}

export interface StudioDocument {
  readonly bodies: readonly DocumentBody[];
  /** Separate bodies closer than this are listed too; 0 lists only pairs that meet. */
  readonly clearance: number;
  readonly section: Section | undefined;
}

export const emptyDocument: StudioDocument = { bodies: [], clearance: 0, section: undefined };

/** A document with one body changed. */
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
