// What the calling thread and a thread that reads files say to each other.

import type { ReadOptions } from '@nearfield/io';
import { type ErrorCode, NearfieldError } from 'nearfield';
import type { FilesSeen } from '../../files.ts';
import type { PackedResult } from './packed-result.ts';

/** A file to read. */
export interface FileAsked {
  readonly name: string;
  /** Where relative names begin. */
  readonly folder: string;
  readonly options: PlainOptions;
}

/** The options of reading that can be cloned. */
export type PlainOptions = Omit<
  ReadOptions,
  'fetchBeside' | 'folders' | 'wasm' | 'thread' | 'signal' | 'progress'
>;

/** What the file holds, or why it is refused (undefined if not by Nearfield), or how far it is. */
export type FromReader =
  | { readonly packed: PackedResult; readonly seen: FilesSeen }
  | { readonly refused: PlainError | undefined }
  | { readonly done: number };

/** A NearfieldError, which loses its code if it is cloned. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
}

export const plainError = (error: unknown): PlainError | undefined =>
  error instanceof NearfieldError ? { code: error.code, message: error.message } : undefined;

export const errorOf = ({ code, message }: PlainError): NearfieldError => new NearfieldError(code, message);
