// How many triangles does a file contain? Counted in other ways than the readers do: text by lines and words, binary
// by walking its records to the end, whatever the header says. `refused` if the file contradicts itself.

export type Written = number | 'refused';

const decode = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);
const wordsOf = (line: string): string[] => line.trim().split(/\s+/);
const trianglesOf = (corners: number): number => Math.max(corners - 2, 0);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Lines that are not empty, without comments. */
const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\n|\r/)
    .map(line => line.replace(/#.*/, ''))
    .filter(line => line.trim() !== '');

export function writtenInObj(bytes: Uint8Array): Written {
  const faces = linesOf(decode(bytes))
    .map(wordsOf)
    .filter(([first]) => first === 'f' || first === 'fo');
  return sum(faces.map(words => trianglesOf(words.length - 1)));
}

export function writtenInOff(bytes: Uint8Array): Written {
  // The counts may follow the keyword on its line, or have lines of their own.
  const rest = linesOf(decode(bytes));
  const head: string[] = [];
  while (rest.length > 0 && head.length < 2) {
    head.push(...wordsOf(rest.shift()!).filter(word => word !== 'OFF'));
  }
  const [vertices, faces] = head.map(Number);
  if (rest.length !== vertices + faces) return 'refused';
  return sum(rest.slice(vertices).map(line => trianglesOf(Number(wordsOf(line)[0]))));
}

export function writtenInStlText(bytes: Uint8Array): Written {
  const words = wordsOf(decode(bytes).toLowerCase());
  const count = (word: string) => words.filter(own => own === word).length;
  if (count('outer') !== count('endloop') || count('facet') !== count('endfacet')) return 'refused';
  if (count('outer') !== count('facet')) return 'refused';
  return count('vertex') - 2 * count('endloop');
}

export function writtenInStlBinary(bytes: Uint8Array): Written {
  if (bytes.length < 84) return 'refused';
  const promised = new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true);
  const held = Math.floor((bytes.length - 84) / 50);
  return promised === held ? held : 'refused';
}

/** For files whose vertices are three floats and whose faces are one list of bytes and ints. */
export function writtenInPly(bytes: Uint8Array): Written {
  const text = decode(bytes);
  const headEnd = /end_header[ \t]*(\r\n|\n|\r)/.exec(text);
  if (!headEnd) return 'refused';
  const start = headEnd.index + headEnd[0].length;
  const promised = (name: string) => Number(new RegExp(`element ${name} (\\d+)`).exec(text)?.[1] ?? -1);
  const [vertices, faces] = [promised('vertex'), promised('face')];
  if (/format ascii/.test(text)) {
    const lines = text
      .slice(start)
      .split(/\r\n|\n|\r/)
      .filter(line => line.trim() !== '');
    if (lines.length !== vertices + faces) return 'refused';
    return sum(lines.slice(vertices).map(line => trianglesOf(wordsOf(line).length - 1)));
  }
  let at = start + 12 * vertices;
  let walked = 0;
  let triangles = 0;
  for (; at < bytes.length; walked++) {
    const corners = bytes[at];
    at += 1 + 4 * corners;
    triangles += trianglesOf(corners);
  }
  return at === bytes.length && walked === faces ? triangles : 'refused';
}

/** For files whose nodes are all roots of one scene and whose primitives are lists of triangles. */
export function writtenInGlb(bytes: Uint8Array): Written {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 28 || view.getUint32(8, true) !== bytes.length) return 'refused';
  const textEnd = 20 + view.getUint32(12, true);
  if (textEnd + 8 > bytes.length) return 'refused';
  if (textEnd + 8 + view.getUint32(textEnd, true) !== bytes.length) return 'refused';
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, textEnd)));
  let triangles = 0;
  for (const node of json.scenes[json.scene].nodes.map((index: number) => json.nodes[index])) {
    const instancing = node?.extensions?.EXT_mesh_gpu_instancing;
    const instances = instancing ? json.accessors[instancing.attributes.TRANSLATION].count : 1;
    for (const primitive of json.meshes[node?.mesh]?.primitives ?? []) {
      const count = json.accessors[primitive.indices ?? primitive.attributes.POSITION]?.count;
      triangles += (instances * count) / 3;
    }
  }
  return Number.isInteger(triangles) ? triangles : 'refused';
}

/** Every triangle of the only object, once per item of the build. */
export function writtenIn3mf(bytes: Uint8Array): Written {
  const text = new TextDecoder().decode(bytes);
  const count = (element: string) => text.split(new RegExp(`<${element}\\s`)).length - 1;
  return count('triangle') * count('item');
}
