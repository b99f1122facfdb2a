// Which bodies does a glTF 2.0 or GLB file contain? Each node of the scene with a mesh is a body, placed by the
// product of its ancestors' matrices and its own. Nodes that share a mesh share it here too. Skins and morph targets
// stay in their rest position. This reader is our own because hostile files must end in bounded memory with an error
// that names the place: nothing is allocated for a count before the bytes for it are known to exist.

import { identity, multiplyPoses, type Pose } from 'nearfield';
import { type PartName, pathOf } from '../facts/part-path.ts';
import { noError, type PoseError, productError, roundingOf } from '../facts/rounding.ts';
import type { FetchWasm } from '../foreign/fetch-wasm.ts';
import type { ReadBody, ReadResult } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import type { FetchBeside } from '../reading/fetch-beside.ts';
import { quoted, unsupportedFile } from '../reading/file-error.ts';
import { Pauses } from '../reading/pauses.ts';
import { Accessors, quantumOf } from './accessors.ts';
import { type CheckedJson, referred } from './checked-json.ts';
import { Buffers, openContainer } from './container.ts';
import { Extras } from './extras.ts';
import { composedError, composePose, type NodePose, nodePose } from './node-pose.ts';
import { Primitives, type RoundedMesh } from './primitives.ts';

const understood = new Set([
  'KHR_draco_mesh_compression',
  'EXT_meshopt_compression',
  'KHR_meshopt_compression',
  'KHR_mesh_quantization',
  'EXT_mesh_gpu_instancing',
]);
/** Extensions that affect only appearance or metadata, not geometry. */
const harmless =
  /^(KHR_materials_|KHR_texture_|EXT_texture_|MSFT_texture_|KHR_lights_|EXT_lights_|KHR_animation_|KHR_xmp|EXT_structural_metadata$|EXT_mesh_features$|EXT_instance_features$)/;

/** Nodes read between two looks at the clock. */
const nodesAtOnce = 256;
/** The maximum number of warnings of one kind. */
const mostWarnings = 10;

export interface GltfOptions {
  readonly fetchBeside?: FetchBeside | undefined;
  readonly wasm?: FetchWasm | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number) => void) | undefined;
}

/** The share of the time in which the JSON of a large file is parsed. */
const parsing = 0.25;

export async function readGltf(
  file: string,
  bytes: Uint8Array,
  { fetchBeside, wasm, signal, progress }: GltfOptions,
  budget: Budget,
): Promise<ReadResult> {
  const pauses = new Pauses(signal);
  const container = openContainer(file, bytes);
  progress?.(parsing);
  await pauses.take();
  const { json } = container;
  checkVersion(file, json);
  const accessors = new Accessors(json, new Buffers(container, fetchBeside, budget), budget);
  const warnings = new Map<string, number>();
  const warn = (what: string) => warnings.set(what, (warnings.get(what) ?? 0) + 1);
  const primitives = new Primitives(file, json.get('meshes'), accessors, budget, warn, wasm);
  const meshes = new Map<number, Promise<RoundedMesh | undefined>>();
  const extras = new Extras(budget, warn);
  const bodies: ReadBody[] = [];
  const nodeCount = json.get('nodes')?.length ?? 0;
  let visited = 0;
  for (const { node, index, pose, poseError, parent } of walk(json, warn)) {
    if (++visited % nodesAtOnce === 0) {
      progress?.(parsing + (1 - parsing) * Math.min(1, visited / nodeCount));
      await pauses.take();
    }
    const reference = node.get('mesh');
    if (!reference) continue;
    const meshJson = referred(json, 'meshes', reference);
    let reading = meshes.get(reference.integer());
    if (!reading) {
      reading = primitives.mesh(meshJson);
      meshes.set(reference.integer(), reading);
    }
    const rounded = await reading;
    if (!rounded) continue;
    const { mesh, error, reach } = rounded;
    if (node.get('skin')) warn(`${node.path}: the skin is left at rest`);
    const name = node.get('name')?.string() || meshJson.get('name')?.string() || `node ${index}`;
    const properties = extras.of(node, meshJson, reference.integer());
    const instances = node.extension('EXT_mesh_gpu_instancing');
    if (!instances) {
      budget.spendBodies(1, name.length, node.path);
      const meshRounding = roundingOf(error);
      const rounding = roundingOf(error, pose, poseError, reach);
      bodies.push({ name, mesh, pose, path: pathOf({ name, parent }), properties, rounding, meshRounding });
    } else {
      const { count, instance } = await readInstances(instances, name.length, accessors, budget);
      const meshRounding = roundingOf(error);
      // One array for all of them: a million arrays with memory of their own take twice the room.
      const poses = new Float64Array(16 * count);
      const productErrors = noError();
      for (let i = 0; i < count; i++) {
        if (i % nodesAtOnce === 0) await pauses.take();
        const local = instance(i);
        const placed = poses.subarray(16 * i, 16 * i + 16);
        multiplyPoses(pose, local.pose, placed);
        const placedError = productError(pose, poseError, local.pose, local.error, productErrors);
        const rounding = roundingOf(error, placed, placedError, reach);
        const own = `${name}[${i}]`;
        bodies.push({
          name: own,
          mesh,
          pose: placed,
          path: pathOf({ name: own, parent }),
          properties,
          rounding,
          meshRounding,
        });
      }
    }
  }
  return { bodies, warnings: limitWarnings(file, [...warnings.keys()]), unit: 1, up: 'y' };
}

function limitWarnings(file: string, all: readonly string[]): string[] {
  const shown = all.slice(0, mostWarnings).map(what => `${file}: ${what}`);
  if (all.length > mostWarnings) shown.push(`${file}: … and ${all.length - mostWarnings} more of this kind`);
  return shown;
}

function checkVersion(file: string, json: CheckedJson): void {
  const version = json.need('asset').need('version').string();
  if (!/^2\.\d+$/.test(version)) {
    unsupportedFile(file, 'asset.version', `this is glTF ${quoted(version)}; only 2.0 is supported`);
  }
  const required = json.get('extensionsRequired');
  for (const extension of required?.items() ?? []) {
    const name = extension.string();
    if (!understood.has(name) && !harmless.test(name)) {
      unsupportedFile(file, extension.path, `the file requires ${quoted(name)}, which is not supported`);
    }
  }
}

interface PlacedNode {
  readonly node: CheckedJson;
  readonly index: number;
  readonly pose: Pose;
  readonly poseError: PoseError;
  /** The names of the nodes above; nodes without a name are left out. */
  readonly parent: PartName | undefined;
}

/** What a node hands down to its children. */
interface Above {
  readonly pose: Pose | undefined;
  readonly error: PoseError;
  readonly name: PartName | undefined;
}

/** The nodes of the scene, parents before children, each with its world pose. */
function* walk(json: CheckedJson, warn: (what: string) => void): Generator<PlacedNode> {
  const nodes = json.get('nodes');
  if (!nodes) return;
  const count = nodes.length;
  const visited = new Uint8Array(count);
  const stack: { reference: CheckedJson; above: Above }[] = [];
  const pushAll = (list: readonly CheckedJson[], above: Above) => {
    for (let i = list.length - 1; i >= 0; i--) stack.push({ reference: list[i], above });
  };
  pushAll(rootsOf(json, nodes, warn), { pose: undefined, error: undefined, name: undefined });
  while (stack.length > 0) {
    const { reference, above } = stack.pop()!;
    const node = referred(json, 'nodes', reference);
    const index = reference.integer();
    // A tree has each node once. A second visit means a loop or a node with two parents, which glTF forbids.
    if (visited[index]) reference.fail(`leads to nodes[${index}] a second time: nodes must form trees`);
    visited[index] = 1;
    const own = nodePose(node, warn);
    // A node without a transform has the pose of its parent.
    const pose =
      above.pose && own ? multiplyPoses(above.pose, own.pose) : (own?.pose ?? above.pose ?? identity());
    const error = own ? productError(above.pose, above.error, own.pose, own.error) : above.error;
    for (let i = 0; i < 16; i++) {
      if (!Number.isFinite(pose[i])) node.fail('the product of the matrices down to here is not finite');
    }
    yield { node, index, pose, poseError: error, parent: above.name };
    const children = node.get('children');
    if (children) {
      // Checked before they are listed: a list longer than the number of nodes must repeat one.
      if (children.length > count) children.fail(`lists ${children.length} nodes, but there are ${count}`);
      const name = node.get('name')?.string();
      pushAll([...children.items()], { pose, error, name: name ? { name, parent: above.name } : above.name });
    }
  }
}

/** The roots of the default scene; if none is named, of the first scene; if there are no scenes, all roots. */
function rootsOf(json: CheckedJson, nodes: CheckedJson, warn: (what: string) => void): CheckedJson[] {
  const scenes = json.get('scenes');
  if (scenes && scenes.length > 0) {
    const named = json.get('scene');
    const scene = named ? referred(json, 'scenes', named) : scenes.at(0);
    if (scenes.length > 1) warn(`only ${scene.path} of ${scenes.length} scenes is read`);
    return [...(scene.get('nodes')?.items() ?? [])];
  }
  const isChild = new Uint8Array(nodes.length);
  for (const node of nodes.items()) {
    for (const child of node.get('children')?.items() ?? []) {
      referred(json, 'nodes', child);
      isChild[child.integer()] = 1;
    }
  }
  const roots: CheckedJson[] = [];
  for (let i = 0; i < isChild.length; i++) {
    // A reference that is not in the file: refers to node i as the file would.
    if (!isChild[i]) roots.push(nodes.reference(i));
  }
  return roots;
}

/**
 * EXT_mesh_gpu_instancing: one pose per instance, relative to the node. The bodies are counted before the attributes
 * are read, because an accessor without a buffer view can make any number of instances from a few bytes of JSON. What
 * `instance` returns is valid until its next call: a million arrays take longer to make than to fill.
 */
async function readInstances(
  extension: CheckedJson,
  nameLength: number,
  accessors: Accessors,
  budget: Budget,
): Promise<{ count: number; instance(index: number): NodePose }> {
  const attributes = extension.need('attributes');
  const given = ['TRANSLATION', 'ROTATION', 'SCALE'].flatMap(key => {
    const reference = attributes.get(key);
    return reference ? [accessors.describe(reference).count] : [];
  });
  if (given.length === 0) extension.fail('has none of TRANSLATION, ROTATION and SCALE');
  if (given.some(count => count !== given[0]))
    extension.fail(`its attributes differ in length: ${given.join(', ')}`);
  const [count] = given;
  budget.spendBodies(count, nameLength, extension.path);
  const read = (key: string, type: 'VEC3' | 'VEC4', allowed: readonly number[]) => {
    const reference = attributes.get(key);
    return reference ? accessors.floats(reference, type, allowed) : undefined;
  };
  const translations = await read('TRANSLATION', 'VEC3', [5126]);
  const rotations = await read('ROTATION', 'VEC4', [5120, 5122, 5126]);
  const scales = await read('SCALE', 'VEC3', [5126]);
  const turning = attributes.get('ROTATION');
  const turned = turning && accessors.describe(turning);
  const rotationQuantum = turned ? quantumOf(turned.componentType, turned.normalized) : 0;
  const translation = translations?.slice(0, 3);
  const rotation = rotations?.slice(0, 4);
  const scale = scales?.slice(0, 3);
  const pose = new Float64Array(16);
  const error = noError();
  const instance = (i: number) => {
    if (translation) copyAt(translations!, i, translation);
    if (rotation) copyAt(rotations!, i, rotation);
    if (scale) copyAt(scales!, i, scale);
    composePose(translation ?? [0, 0, 0], rotation ?? [0, 0, 0, 1], scale ?? [1, 1, 1], pose);
    for (const value of pose)
      if (!Number.isFinite(value)) extension.fail(`instance ${i} has a pose that is not finite`);
    return { pose, error: composedError(translation, rotation, scale, rotationQuantum, error) };
  };
  return { count, instance };
}

/** Copies the i-th vector of a list. */
function copyAt(
  list: ArrayLike<number>,
  i: number,
  out: { [k: number]: number; readonly length: number },
): void {
  for (let k = 0; k < out.length; k++) out[k] = list[out.length * i + k];
}
