// Which triangles does the package occt-import-js (Open CASCADE) make of a STEP, IGES or BREP file? It places every
// instance itself, in doubles, and gives each solid, loose shell and set of loose faces as a mesh of its own.

import type { Asked, Foreign } from '../foreign/foreign.ts';

export type OcctFormat = 'step' | 'iges' | 'brep';

/** What is asked: the meshes of one or more files, which are read by one instance of the package. */
export interface OcctQuestion {
  readonly format: OcctFormat;
  readonly files: readonly OcctFile[];
  readonly settings: {
    readonly linearUnit: 'millimeter' | 'centimeter' | 'meter' | 'inch' | 'foot';
    readonly linearDeflectionType: 'bounding_box_ratio' | 'absolute_value';
    readonly linearDeflection: number;
    /** In radians. */
    readonly angularDeflection: number;
  };
}

export interface OcctFile {
  /** For messages. Empty for the file that the message names anyway. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** True for an assembly whose parts are in other files: it need not have a shape of its own. */
  readonly mayBeEmpty: boolean;
}

export interface OcctMesh {
  /** The names of the products around it, the outermost first, and its own. Some may be empty. */
  readonly path: readonly string[];
  /** Per name in `path`, the number of its node; the last may be that of a mesh in the node before it. */
  readonly nodes: readonly number[];
  /** True if it is the only mesh of the node that the last but one of the names stands for. */
  readonly isOnly: boolean;
  /** Which of the file's outermost shapes it belongs to: each is tessellated by itself. */
  readonly root: number;
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  readonly faces: number;
  /** Faces of which no triangles were made. */
  readonly emptyFaces: number;
}

/** The answer has the meshes of each file. */
export const occtImport: Foreign<OcctQuestion, readonly (readonly OcctMesh[])[]> = {
  formats: 'STEP, IGES and BREP',
  name: 'occt-import-js',
  wasm: 'occt-import-js/dist/occt-import-js.wasm',
  wasmOfNode: 'occt-import-js/dist/occt-import-js.wasm',
  load: () => import('occt-import-js'),
  ask: askOcct,
};

/** The part of occt-import-js that is used. */
type OpenOcct = (settings: object) => Promise<{
  ReadFile(
    format: string,
    bytes: Uint8Array,
    settings: object,
  ): { success: false } | { success: true; root: OcctNode; meshes: OcctResult[] };
}>;

interface OcctNode {
  readonly name: string;
  readonly meshes: readonly number[];
  readonly children: readonly OcctNode[];
}

interface OcctResult {
  readonly name: string;
  readonly attributes: { readonly position: { readonly array: number[] } };
  readonly index: { readonly array: number[] };
  readonly brep_faces: readonly { readonly first: number; readonly last: number }[];
}

/** Runs in another thread: it uses nothing from outside. */
async function askOcct(
  library: unknown,
  { format, files, settings }: OcctQuestion,
  wasm: ArrayBuffer | undefined,
): Promise<Asked<readonly (readonly OcctMesh[])[]>> {
  const open = ((library as { default?: unknown }).default ?? library) as OpenOcct;
  const silent = () => {};
  const own = wasm === undefined ? {} : { wasmBinary: wasm };
  const occt = await open({ ...own, print: silent, printErr: silent });
  const buffers: ArrayBufferLike[] = [];
  const answer = files.map(({ name, bytes, mayBeEmpty }) => {
    const fail = (what: string): never => {
      throw new Error(name === '' ? what : `${name}: ${what}`);
    };
    let result: ReturnType<typeof occt.ReadFile>;
    try {
      result = occt.ReadFile(format, bytes, settings);
    } catch (error) {
      // What C++ throws has no text here.
      return name === '' ? fail(String(error)) : fail('it gave up');
    }
    if (!result.success) return mayBeEmpty ? [] : fail('it finds no shape in the file');
    /** Meshes in a node and below it. It stops at the second, and after a few nodes: then there are surely more. */
    const count = (of: OcctNode): number => {
      let meshes = 0;
      const nodes = [of];
      for (let at = 0; at < nodes.length && meshes < 2; at++) {
        if (nodes.length > 64) return 2;
        meshes += nodes[at].meshes.length;
        for (const child of nodes[at].children.slice(0, 65)) nodes.push(child);
      }
      return meshes;
    };
    const meshes: OcctMesh[] = [];
    const stack: { node: OcctNode; path: string[]; nodes: number[]; root: number; isOnly: boolean }[] = [];
    let numbered = 0;
    result.root.children.forEach((node, root) => {
      stack.push({ node, path: [], nodes: [], root, isOnly: false });
    });
    // A BREP file has one shape, at the root.
    if (result.root.meshes.length > 0)
      stack.push({ node: result.root, path: [], nodes: [], root: 0, isOnly: false });
    stack.reverse();
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { node, root } = next;
      const path = [...next.path, node.name];
      const nodes = [...next.nodes, numbered++];
      for (const index of node.meshes) {
        const { name, attributes, index: corners, brep_faces: made } = result.meshes[index];
        const positions = Float64Array.from(attributes.position.array);
        const indices = Uint32Array.from(corners.array);
        const emptyFaces = made.filter(({ first, last }) => last < first).length;
        buffers.push(positions.buffer, indices.buffer);
        // A part at the root of an assembly has the name of its product twice.
        const own = name === '' || name === node.name ? path : [...path, name];
        const isOnly = own === path ? next.isOnly : count(node) === 1;
        const numbers = own === path ? nodes : [...nodes, numbered++];
        meshes.push({
          path: own,
          nodes: numbers,
          isOnly,
          root,
          positions,
          indices,
          faces: made.length,
          emptyFaces,
        });
      }
      const isOnly = count(node) === 1;
      for (let i = node.children.length - 1; i >= 0; i--)
        stack.push({ node: node.children[i], path, nodes, root, isOnly });
    }
    return meshes;
  });
  return { answer, buffers };
}
