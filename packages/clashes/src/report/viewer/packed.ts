// How a page carries much in little text: deflated (RFC 1951), as base64. Browsers and Node do both by themselves.

/** Deflated bytes as base64. */
export type Packed = string;

export async function pack(numbers: Float32Array | Uint32Array): Promise<Packed> {
  const { buffer, byteOffset, byteLength } = numbers;
  const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return base64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

function base64(bytes: Uint8Array): string {
  // A multiple of three bytes, so that pieces can be joined.
  const size = 3 * 8192;
  const pieces: string[] = [];
  for (let i = 0; i < bytes.length; i += size) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(i, i + size))));
  }
  return pieces.join('');
}

/** The bytes of packed numbers or of a packed text. */
export async function unpack(packed: Packed): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}
