// Writes the JSON and the report with the code of the command line. The question is asked again in the order of the
// document, so that both are equal to the last digit.

import {
  type AssemblyAnswer,
  assemblyJson,
  assemblyReport,
  checkAssembly,
  type PlacedBody,
  titleOf,
} from '@nearfield/clashes';
import { type Mesh, type Nearfield, NearfieldError } from 'nearfield';
import { version } from '../../../packages/cli/package.json';
import type { BodyId, Limits, Written } from './types.ts';

type Meshes = ReadonlyMap<BodyId, Mesh>;

export async function writeJson(
  nf: Nearfield,
  meshes: Meshes,
  written: Written,
  limits: Limits,
): Promise<Blob> {
  const { answer } = await ask(nf, meshes, written, limits);
  return new Blob([...assemblyJson(answer, true)], { type: 'application/json' });
}

export async function writeReport(
  nf: Nearfield,
  meshes: Meshes,
  written: Written,
  { signal, progress }: Limits,
): Promise<Blob> {
  const half = (part: number) => (done: number) => progress?.((part + done) / 2);
  const limits = { signal, progress: half(0) };
  const { answer, bodies } = await ask(nf, meshes, written, limits);
  const files = [...new Set(bodies.flatMap(({ file }) => file ?? []))];
  const title = files.length > 0 ? titleOf(files) : titleOf(['the sample gearbox']);
  const date = new Date().toISOString();
  const html = await assemblyReport({
    ...{ title, answer, bodies, date, encode: pngUri, signal, progress: half(1) },
  });
  return new Blob([html], { type: 'text/html' });
}

async function ask(
  nf: Nearfield,
  meshes: Meshes,
  { bodies: wanted, clearance }: Written,
  { signal, progress }: Limits,
): Promise<{ answer: AssemblyAnswer; bodies: PlacedBody[] }> {
  const bodies = wanted.map(({ id, name, file, pose }) => {
    const mesh = meshes.get(id);
    if (mesh === undefined) throw new NearfieldError('closed', `there is no body ${id}`);
    return { name, file, mesh, pose };
  });
  const { answer } = await checkAssembly(nf, {
    ...{ bodies, clearance, method: 'auto', samples: false, keepTriangles: 'all', points: true },
    ...{ depths: 'auto', rows: 100, identities: true },
    ...{ readTime: 0, openTime: 0, version, signal, progress: (_, done) => progress?.(done) },
  });
  return { answer, bodies };
}

/** A browser encodes pixels through a canvas. */
async function pngUri(pixels: { width: number; height: number; data: Uint8Array }): Promise<string> {
  const canvas = new OffscreenCanvas(pixels.width, pixels.height);
  const image = new ImageData(Uint8ClampedArray.from(pixels.data), pixels.width, pixels.height);
  canvas.getContext('2d')!.putImageData(image, 0, 0);
  const blob = await canvas.convertToBlob({ type: 'image/png' });
  return new FileReaderSync().readAsDataURL(blob);
}

/** Exists only in workers, so the types of pages leave it out. */
declare class FileReaderSync {
  readAsDataURL(blob: Blob): string;
}
