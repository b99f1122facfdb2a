// Writes the answer with the code of the command line, in each of its formats. The question is asked again in the order
// of the document, so that both are equal to the last digit.

import {
  assemblyBcf,
  assemblyCsv,
  assemblyGlb,
  assemblyJson,
  assemblyJunit,
  assemblyReport,
  bcfViews,
  type CheckAnswer,
  checkAssembly,
  finishInTurns,
  isFailing,
  type Motion,
  type PlacedBody,
  parseStatuses,
  reportInput,
  titleOf,
} from '@nearfield/clashes';
import type { Nearfield } from 'nearfield';
import { version } from '../../../../packages/cli/package.json';
import type { Limits, MotionQuestion, Placed, Written } from '../types.ts';
import type { Kept } from './kept.ts';

const types: Readonly<Record<Written['format'], string>> = {
  json: 'application/json',
  csv: 'text/csv',
  junit: 'application/xml',
  bcf: 'application/zip',
  glb: 'model/gltf-binary',
  report: 'text/html',
};

export async function write(nf: Nearfield, kept: Kept, written: Written, limits: Limits): Promise<Blob> {
  const { format } = written;
  const type = types[format];
  const half = (part: number) => (done: number) => limits.progress?.((part + done) / 2);
  const { answer, bodies, motion } = await ask(nf, kept, written, { ...limits, progress: half(0) });
  if (format === 'json') return new Blob([...assemblyJson(answer, true)], { type });
  if (format === 'csv') return new Blob([...assemblyCsv(answer)], { type });
  if (format === 'junit') return new Blob([...assemblyJunit(answer)], { type });
  const files = [...new Set(bodies.flatMap(({ file }) => file ?? []))].map(name => name.split('/').at(-1)!);
  const title = titleOf(files.length > 0 ? files : ['the sample gearbox']);
  const date = new Date().toISOString();
  const input = { title, answer, bodies, motion, date };
  const { signal } = limits;
  const glb = function* () {
    return yield* assemblyGlb(answer, yield* reportInput(input));
  };
  if (format === 'glb') return new Blob([bytesOf(await finishInTurns(glb(), signal))], { type });
  if (format === 'report') {
    return new Blob([await assemblyReport({ ...input, encode: pngUri, signal, progress: half(1) })], {
      type,
    });
  }
  const size = { width: 600, height: 412 };
  const bytes = await assemblyBcf(answer, {
    ...{ date, signal, progress: half(1) },
    viewOf: bcfViews(await finishInTurns(reportInput(input), signal), {
      unit: answer.unit,
      size,
      ...(signal && { signal }),
    }),
  });
  return new Blob([bytesOf(bytes)], { type });
}

/** How many pairs fail the check in each frame. */
export async function checkMotion(
  nf: Nearfield,
  kept: Kept,
  { assembly, frames }: MotionQuestion,
  limits: Limits,
): Promise<Uint32Array> {
  const written = { assembly, frames, format: 'csv', statuses: undefined, group: undefined } as const;
  const { answer } = await ask(nf, kept, written, limits);
  return Uint32Array.from(answer.frames, ({ pairs }) => pairs.filter(pair => isFailing(pair)).length);
}

const bytesOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => bytes as Uint8Array<ArrayBuffer>;

async function ask(
  nf: Nearfield,
  kept: Kept,
  { assembly, format, statuses, group, frames }: Written,
  { signal, progress }: Limits,
): Promise<CheckAnswer & { bodies: readonly PlacedBody[]; motion: Motion | undefined }> {
  const { bodies, files, allowed, rules } = kept.asked(assembly);
  const { unit, clearance, tolerance } = assembly;
  const motion = frames && { isMotion: true, frames: frames.map(frame => posesOf(frame, assembly.placed)) };
  const checked = await checkAssembly(nf, {
    ...{ bodies, files, unit, allowed, rules, clearance, tolerance, group, motion },
    statuses: statuses === undefined ? undefined : parseStatuses('the statuses', statuses),
    ...{ method: 'auto', samples: false, points: true, identities: true, rows: 100 },
    // The frames of a motion are listed in order of time, so depths are found only if they are asked for.
    depths: motion ? 'none' : 'auto',
    keepTriangles: format === 'json' ? 'all' : 'worst',
    ...{ readTime: 0, openTime: 0, version, signal, progress: (_, done) => progress?.(done) },
  });
  return { ...checked, bodies, motion };
}

/** The poses of a frame, by the index of the body in the document. */
export function posesOf({ ids, poses }: Placed, { ids: all }: Placed): Map<number, Float64Array> {
  const places = new Map(Array.from(all, (id, i) => [id, i]));
  const frame = new Map<number, Float64Array>();
  for (const [i, id] of ids.entries()) {
    const place = places.get(id);
    if (place !== undefined) frame.set(place, poses.slice(16 * i, 16 * i + 16));
  }
  return frame;
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
