// The worker: reads files and answers on the CPU engine, so that the main thread stays responsive.

import { readFile } from '@nearfield/io';
import { gearboxParts } from '@nearfield/samples';
import dracoDecoder from 'draco3dgltf/draco_decoder_gltf.wasm?url';
import { identity, type Mesh, NearfieldError, open } from 'nearfield';
import { askCurves, askDepth, askDistance, askPairs } from './ask.ts';
import { giving, type Port, serve } from './channel.ts';
import { drawnData } from './drawn-data.ts';
import { PlacedScene } from './placed-scene.ts';
import type { BodyData, BodyId, Limits, ReadAnswer, Tasks } from './types.ts';

const meshes = new Map<BodyId, Mesh>();
/** The page carries the decoder of Draco alone. */
const wasm = async (path: string) => {
  if (!path.startsWith('draco'))
    throw new NearfieldError('unsupported', `the studio has no ${path} to read it`);
  return (await fetch(dracoDecoder)).arrayBuffer();
};
let nextId = 0;

const opening = open({ backend: 'cpu' });
/** One scene for all pairs, and one for two bodies at a time, so that neither undoes the other's work. */
const scenes = opening.then(nf => {
  const meshOf = (id: BodyId) => meshes.get(id);
  return { all: new PlacedScene(nf, meshOf), two: new PlacedScene(nf, meshOf) };
});

function keep(name: string, mesh: Mesh, pose: Float64Array, file?: string): BodyData {
  const id = nextId++;
  meshes.set(id, mesh);
  const { positions, indices, closed, solid } = mesh;
  return { id, name, file, positions, indices, pose, closed, solid, drawn: drawnData(mesh) };
}

async function read(files: readonly File[], { signal, progress }: Limits): Promise<ReadAnswer> {
  const bodies: BodyData[] = [];
  const messages: string[] = [];
  const byName = new Map(files.map(file => [file.name, file]));
  // The buffers of a .gltf are dropped together with it, and are not bodies of their own.
  const read = files.filter(({ name }) => !/\.(bin|png|jpe?g|mtl)$/i.test(name));
  for (const [i, file] of read.entries()) {
    signal?.throwIfAborted();
    progress?.(i / read.length);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const fetchBeside = async (path: string) => {
        const beside = byName.get(path.split('/').at(-1)!);
        if (beside === undefined) {
          throw new NearfieldError('bad-file', `${file.name} refers to "${path}": drop both files together`);
        }
        return new Uint8Array(await beside.arrayBuffer());
      };
      const found = await readFile(file.name, bytes, { fetchBeside, wasm });
      for (const { name, mesh, pose } of found.bodies) {
        bodies.push(keep(name, mesh, pose ?? identity(), file.name));
      }
      messages.push(...found.warnings);
    } catch (error) {
      messages.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (read.length === 0)
    messages.push('None of these files can be read. Supported: OBJ, STL, PLY, OFF, GLB, glTF.');
  return answerOf(bodies, messages);
}

/** The drawn data is not needed here any more. */
function answerOf(bodies: readonly BodyData[], messages: readonly string[]): ReadAnswer {
  const buffers = bodies.flatMap(({ drawn }) => [
    drawn.corners.buffer,
    drawn.normals.buffer,
    drawn.edges.buffer,
  ]);
  return giving({ bodies, messages }, buffers as ArrayBuffer[]);
}

serve<Tasks>(globalThis as unknown as Port, {
  hello: async () => (await opening).name,
  read,
  sample: () =>
    answerOf(
      gearboxParts().map(({ name, mesh, pose }) => keep(name, mesh, pose)),
      [],
    ),
  forget: ids => {
    for (const id of ids) meshes.delete(id);
  },
  pairs: async (question, limits) => {
    const answer = await askPairs((await scenes).all, question, limits);
    return giving(
      answer,
      answer.rows.flatMap(({ triangles }) => (triangles ? [triangles.buffer as ArrayBuffer] : [])),
    );
  },
  distance: async (two, limits) => askDistance((await scenes).two, two, limits),
  depth: async (two, limits) => askDepth((await scenes).two, two, limits),
  curves: async (two, limits) => askCurves((await scenes).two, two, limits),
  clearance: async (two, limits) =>
    (await import('./clearance.ts')).mapClearance((await scenes).two, two, limits),
  pairView: async (question, limits) =>
    (await import('./pair-view.ts')).viewPair((await scenes).two, question, limits),
  json: async (written, limits) =>
    (await import('./written.ts')).writeJson(await opening, meshes, written, limits),
  report: async (written, limits) =>
    (await import('./written.ts')).writeReport(await opening, meshes, written, limits),
  benchCase: async key => (await import('../bench/cases.ts')).makeCase(key),
  benchMeasure: async (question, limits) =>
    (await import('../bench/cases.ts')).measureOn(await opening, question, limits),
});
