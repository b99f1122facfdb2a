// What the calling thread and a thread that reads files say to each other.

import type { ReadOptions } from '@nearfield/io';
import { type ErrorCode, NearfieldError } from 'nearfield';
import type { PackedResult } from './packed-result.ts';

/** A file to read. Its bytes are handed over. */
export interface FileGiven {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly options: PlainOptions;
}

/** The options of reading that can be cloned. */
export type PlainOptions = Omit<ReadOptions, 'fetchBeside' | 'wasm' | 'thread' | 'signal' | 'progress'>;

/** A file to read, or the bytes of one that it refers to. */
export type ToReader =
  | { readonly given: FileGiven }
  | { readonly fetched: number; readonly bytes: Uint8Array }
  | { readonly fetched: number; readonly refused: PlainError };

/** What the file holds, or why it is refused (undefined if not by Nearfield); or what is needed, or how far it is. */
export type FromReader =
  | { readonly packed: PackedResult }
  | { readonly refused: PlainError | undefined }
  | { readonly fetch: number; readonly path: string; readonly byteLength: number }
  | { readonly done: number };

/** A NearfieldError, which loses its code if it is cloned. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
}

export const plainError = (error: unknown): PlainError | undefined =>
  error instanceof NearfieldError ? { code: error.code, message: error.message } : undefined;

export const errorOf = ({ code, message }: PlainError): NearfieldError => new NearfieldError(code, message);

/** The buffer of some bytes, if it holds nothing else: then it can be handed over. */
export const ownBuffer = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
