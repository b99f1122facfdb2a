// Struct layouts, declared once: each yields the WGSL declaration and the word offsets for typed views. Only types
// with the same layout in every address space are allowed: 32-bit scalars and vectors of four.

type Scalar = 'u32' | 'i32' | 'f32';
type Vector = 'vec4u' | 'vec4i' | 'vec4f';
/** A field: a scalar, a vector of four, or a fixed array of vectors. */
export type Field = Scalar | Vector | readonly [Vector, number];

export interface Layout<Name extends string = string> {
  readonly name: string;
  /** Size of one struct in 32-bit words, padding included. */
  readonly words: number;
  readonly bytes: number;
  /** The offset of each field, in words. */
  readonly at: Readonly<Record<Name, number>>;
  /** The WGSL declaration. */
  readonly wgsl: string;
}

export function layout<Name extends string>(
  name: string,
  fields: Readonly<Record<Name, Field>>,
): Layout<Name> {
  const at = {} as Record<Name, number>;
  const lines: string[] = [];
  let words = 0;
  let alignment = 1;
  for (const key of Object.keys(fields) as Name[]) {
    const field = fields[key];
    const [type, count] = typeof field === 'string' ? [field, 1] : field;
    const size = type.startsWith('vec4') ? 4 : 1;
    words = Math.ceil(words / size) * size;
    alignment = Math.max(alignment, size);
    at[key] = words;
    words += size * count;
    lines.push(`  ${key}: ${typeof field === 'string' ? type : `array<${type}, ${count}>`},`);
  }
  words = Math.ceil(words / alignment) * alignment;
  return { name, words, bytes: 4 * words, at, wgsl: `struct ${name} {\n${lines.join('\n')}\n}\n` };
}
