// Which bodies does a file contain? The entry point of all readers. It recognises the format by the extension, else
// by the first bytes. Pure functions over bytes, for browsers and Node.

import { NearfieldError } from 'nearfield';
import { read3mf } from './3mf/3mf.ts';
import type { FetchWasm } from './foreign/fetch-wasm.ts';
import type { OpenThread } from './foreign/page-thread.ts';
import { isGlb } from './gltf/container.ts';
import { readGltf } from './gltf/gltf.ts';
import { readIfc } from './ifc/ifc.ts';
import { mergeWithin } from './merge-bodies.ts';
import { readObj } from './obj.ts';
import { readOff } from './off.ts';
import { readPly } from './ply/ply.ts';
import { baseName, type ReadResult } from './read-result.ts';
import { Budget } from './reading/budget.ts';
import type { FetchBeside } from './reading/fetch-beside.ts';
import { badFile, inWords, quoted, unsupportedFile } from './reading/file-error.ts';
import { readStep } from './step/step.ts';
import { readStl } from './stl.ts';
import { type Tessellation, tessellationOf } from './tessellation.ts';
import type { JointValues } from './urdf/robot.ts';
import { readUrdf } from './urdf/urdf.ts';

export interface ReadOptions {
  /**
   * Fetches a file that a .gltf, a .urdf or a STEP assembly refers to by a relative path. The path has been checked: no
   * scheme, not absolute, no `..` except those that `folders` allows. Without this function such files are refused.
   */
  readonly fetchBeside?: FetchBeside | undefined;
  /**
   * Provides the WebAssembly of a package when a file needs it: `draco3dgltf/draco_decoder_gltf.wasm` for compressed
   * glTF, `web-ifc/web-ifc.wasm` for IFC, `occt-import-js/dist/occt-import-js.wasm` for STEP, IGES and BREP. Needed in
   * pages, where packages cannot find it themselves.
   */
  readonly wasm?: FetchWasm | undefined;
  /**
   * Opens a thread in a page for the packages that read IFC, STEP, IGES and BREP: a module worker whose script calls
   * `serveForeign`. A file that makes the package hang or fill memory then ends that thread. Without it, the package
   * works where `readFile` was called. Node has threads of its own.
   */
  readonly thread?: OpenThread | undefined;
  /** How finely the curved surfaces of IFC, STEP, IGES and BREP files become triangles. */
  readonly tessellation?: Tessellation | undefined;
  /** Read what the file says about each part: IFC property sets and quantities. The default is false. */
  readonly properties?: boolean | undefined;
  /**
   * Cancels reading: the promise is rejected with `signal.reason`. glTF is read with pauses for other tasks,
   * other formats in one go but for what is fetched and for what another thread reads.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called with the fraction of a glTF that is read, 0 to 1, as reading goes on. Other formats are read in one go. */
  readonly progress?: ((done: number) => void) | undefined;
  /** Merge everything in the file into one body, in world positions. */
  readonly oneBody?: boolean | undefined;
  /**
   * The limit of bytes made per byte of the file and of what is fetched beside it: vertices, triangles, 512 bytes per
   * body and per mesh, two bytes per letter of a body's name, and the memory of decoding. The default is 256; 16 MiB
   * more are always allowed. A file that makes more is refused before the work.
   */
  readonly maxExpansion?: number | undefined;
  /** URDF: which shapes of a link are read. By default those for collision, and those to look at where it has none. */
  readonly geometry?: 'collision' | 'visual' | undefined;
  /** URDF: the values of joints by name, in radians or metres. Joints that are not named stand at 0. */
  readonly joints?: JointValues | undefined;
  /** URDF: the bytes of an SRDF, whose `disable_collisions` are added to the allowed pairs. */
  readonly srdf?: Uint8Array | undefined;
  /**
   * URDF: the names of the folders around the file from which its meshes may be read, innermost first, such as
   * `['urdf', 'robot_description']`. They say what `package://robot_description/…` means. The path that `fetchBeside`
   * gets begins with at most as many `../` as there are names after the first. By default the one folder that the
   * name of the file shows, if any.
   */
  readonly folders?: readonly string[] | undefined;
}

type Format = 'obj' | 'stl' | 'ply' | 'off' | 'gltf' | '3mf' | 'ifc' | 'step' | 'iges' | 'brep' | 'urdf';

const formats: Readonly<Record<string, Format>> = {
  obj: 'obj',
  stl: 'stl',
  ply: 'ply',
  off: 'off',
  gltf: 'gltf',
  glb: 'gltf',
  '3mf': '3mf',
  ifc: 'ifc',
  step: 'step',
  stp: 'step',
  iges: 'iges',
  igs: 'iges',
  brep: 'brep',
  brp: 'brep',
  urdf: 'urdf',
};

/** The extensions, without a dot, of the files that `readFile` reads. A file with another one is tried by its first bytes. */
export const modelExtensions: readonly string[] = Object.keys(formats);

/** Formats of CAD, BIM and modelling programs that are not, or not only, triangles. */
const exchanged: readonly string[] = [
  ...['ifczip', 'ifcxml', 'sat', 'x_t', 'jt', '3dm', 'dwg', 'dxf', 'rvt', 'sldprt'],
  ...['dae', 'fbx', 'usdz', 'usd', 'blend'],
];

/** Reads a file. `name` is used in messages and, without its extension, for bodies without a name. */
export async function readFile(
  name: string,
  bytes: Uint8Array,
  options: ReadOptions = {},
): Promise<ReadResult> {
  checkArguments(name, bytes, options);
  const budget = new Budget(name, options.maxExpansion);
  budget.hold(bytes.length);
  try {
    if (bytes.length === 0) badFile(name, '', 'the file is empty');
    const result = await readAs(formatOf(name, bytes), name, bytes, options, budget);
    if (!result.bodies.some(body => body.mesh.triangleCount > 0)) badFile(name, '', 'it has no triangles');
    if (!options.oneBody) return result;
    const { warnings, unit, up, tessellation, map } = result;
    const bodies = [mergeWithin(budget, name, baseName(name), result.bodies)];
    return { bodies, warnings, unit, up, tessellation, map };
  } catch (error) {
    // The one failure that remains: arrays larger than this machine can allocate.
    if (error instanceof RangeError) {
      throw new NearfieldError('out-of-memory', `${name}: the file is too large (${error.message})`, {
        cause: error,
      });
    }
    throw error;
  }
}

const optionKinds: Readonly<Record<string, 'function' | 'boolean' | 'number'>> = {
  fetchBeside: 'function',
  wasm: 'function',
  thread: 'function',
  progress: 'function',
  properties: 'boolean',
  oneBody: 'boolean',
  maxExpansion: 'number',
};

function checkArguments(name: unknown, bytes: unknown, options: unknown): void {
  const refuse = (what: string): never => {
    const message = "readFile takes a name and the file's bytes: readFile('a.obj', bytes)";
    throw new NearfieldError('bad-option', `${message}; ${what}`);
  };
  if (typeof name !== 'string') refuse(`the name must be a string, not ${inWords(name)}`);
  if (!(bytes instanceof Uint8Array)) refuse(`bytes must be a Uint8Array, not ${inWords(bytes)}`);
  if (!isRecord(options)) refuse(`options must be an object, not ${inWords(options)}`);
  for (const [key, kind] of Object.entries(optionKinds)) {
    const value = (options as Readonly<Record<string, unknown>>)[key];
    if (value !== undefined && typeof value !== kind)
      refuse(`${key} must be a ${kind}, not ${inWords(value)}`);
  }
  const { signal, geometry, joints, srdf, folders } = options as Readonly<Record<string, unknown>>;
  if (signal !== undefined && !(signal instanceof AbortSignal))
    refuse(`signal must be an AbortSignal, not ${inWords(signal)}`);
  if (geometry !== undefined && geometry !== 'collision' && geometry !== 'visual')
    refuse(`geometry must be 'collision' or 'visual', not ${inWords(geometry)}`);
  if (joints !== undefined && !isRecord(joints))
    refuse(`joints must be an object from joint names to numbers, not ${inWords(joints)}`);
  if (srdf !== undefined && !(srdf instanceof Uint8Array))
    refuse(`srdf must be the bytes of an SRDF, a Uint8Array, not ${inWords(srdf)}`);
  if (folders !== undefined && !(Array.isArray(folders) && folders.every(name => typeof name === 'string')))
    refuse(`folders must be an array of names, not ${inWords(folders)}`);
  tessellationOf((options as ReadOptions).tessellation, 1);
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

function readAs(
  format: Format,
  name: string,
  bytes: Uint8Array,
  options: ReadOptions,
  budget: Budget,
): ReadResult | Promise<ReadResult> {
  switch (format) {
    case 'obj':
      return readObj(name, bytes, budget);
    case 'stl':
      return readStl(name, bytes);
    case 'ply':
      return readPly(name, bytes);
    case 'off':
      return readOff(name, bytes);
    case 'gltf':
      return readGltf(name, bytes, options, budget);
    case '3mf':
      return read3mf(name, bytes, budget);
    case 'urdf':
      return readUrdf(name, bytes, options, budget, async (meshName, meshBytes, fetchBeside) => {
        if (meshBytes.length === 0) badFile(meshName, '', 'the file is empty');
        const format = formatOf(meshName, meshBytes);
        return readAs(format, meshName, meshBytes, { wasm: options.wasm, fetchBeside }, budget);
      });
    case 'ifc':
      return readIfc(
        name,
        bytes,
        { ...options, ...tessellationOf(options.tessellation, (2 * Math.PI) / 11) },
        budget,
      );
    default:
      return readStep(
        name,
        bytes,
        format,
        { ...options, ...tessellationOf(options.tessellation, 0.5) },
        budget,
      );
  }
}

function formatOf(name: string, bytes: Uint8Array): Format {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1].toLowerCase();
  if (extension !== undefined && Object.hasOwn(formats, extension)) return formats[extension];
  if (isGlb(bytes)) return 'gltf';
  const start = new TextDecoder().decode(bytes.subarray(0, 6));
  if (/^ply[\r\n]/.test(start)) return 'ply';
  if (/^(ST)?C?N?OFF\s/.test(start)) return 'off';
  if (/^solid\s/i.test(start)) return 'stl';
  if (start === 'ISO-10') return isIfc(bytes) ? 'ifc' : 'step';
  if (extension === 'xacro') {
    const expand = `expand it first with "xacro ${quoted(name).slice(1, -1)} > robot.urdf"`;
    return unsupportedFile(name, '', `this is xacro, not URDF: ${expand}`);
  }
  const advice = exchanged.includes(extension ?? '') ? '; export it as GLB first' : '';
  const what = `the format is not known; supported are OBJ, STL, PLY, OFF, GLB, glTF, 3MF, IFC, STEP, IGES, BREP and URDF${advice}`;
  return unsupportedFile(name, '', what);
}

/** IFC and STEP begin alike; the header names the schema. */
const isIfc = (bytes: Uint8Array): boolean =>
  /FILE_SCHEMA\s*\(\s*\(\s*'IFC/i.test(new TextDecoder('latin1').decode(bytes.subarray(0, 65536)));
