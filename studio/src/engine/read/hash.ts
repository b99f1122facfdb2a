// The hash by which a review knows a file.

import { hexOf, sha256 } from '@nearfield/clashes';

/** SHA-256 as hexadecimal text. A page that no secure connection brought has none of its own. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  const digest = subtle
    ? new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
    : sha256(bytes);
  return hexOf(digest, 64);
}
