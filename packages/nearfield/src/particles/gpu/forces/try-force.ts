// Tries the WGSL of a force before kernels are made of it: whether it compiles, by itself and with the kernels,
// whether it leaves what they use as it is, and whether it gives what the TypeScript gives.

import { bad } from '../../../core/arguments.ts';
import { ReadBack } from '../../../gpu/buffers/read-back.ts';
import { createKernel, Launch, Resources } from '../../../gpu/kernel.ts';
import { make, refusal, submit } from '../../../gpu/submit.ts';
import type { Vector } from '../../colliders/shapes.ts';
import type { Setup } from '../../compiled.ts';
import { accelerationAt } from '../../motion/stepped/force-program.ts';
import { type ProgramSample, tryProgram } from '../../motion/stepped/try-program.ts';
import { followModules, placeModules } from '../kernels.ts';
import trySource from '../wgsl/try-force.wgsl';
import { withoutComments } from './without-comments.ts';

const what = 'motion: force: the WGSL';

/** Throws 'bad-option' for a force, given without comments, that cannot be used, with the compiler's message. */
export async function tryForce(device: GPUDevice, setup: Setup, force: string): Promise<void> {
  if (ownBinding.test(force)) throw bad(`${what} may not have bindings of its own`);
  // It is compiled by itself first, so that it cannot use names that the kernels declare.
  keepsNames([trySource], force);
  await compiles(device, [trySource], force);
  for (const modules of [followModules({ force }), placeModules({ force })]) {
    const kernel = modules.slice(0, -1);
    keepsNames(kernel, force);
    await compiles(device, kernel, force);
  }
  await compareForms(device, setup, force);
}

// WGSL counts more characters as spaces than JavaScript.
const ownBinding = /@[\s\u0085\u200e\u200f]*(group|binding)\b/;
/** A name may have letters of any script, as in WGSL's grammar: `lengthé` is not `length`. */
const declaration = /\b(fn|alias|struct)[\s\u0085\u200e\u200f]+([_\p{XID_Start}]\p{XID_Continue}*)/gu;

/**
 * A module may declare a name that WGSL has too, such as `length`. Joined with a kernel, its function would replace
 * WGSL's in the kernel, so it is refused here. The compiler refuses names that the kernel itself declares, and names
 * the line.
 */
function keepsNames(kernel: readonly string[], force: string): void {
  const code = withoutComments(kernel.join('\n'));
  for (const [, kind, name] of force.matchAll(declaration)) {
    const isUsed = new RegExp(kind === 'fn' ? `\\b${name}\\s*\\(` : `\\b${name}\\b`).test(code);
    const isKernels = new RegExp(`\\b(fn|alias|struct)\\s+${name}\\b`).test(code);
    if (name === 'acceleration' || !isUsed || isKernels) continue;
    throw bad(
      `${what} declares ${name}, which WGSL has too, and which the kernels use: give it another name`,
    );
  }
}

/** Compiles a module after others. Throws with the first line that is wrong, if it is one of the module. */
async function compiles(device: GPUDevice, others: readonly string[], force: string): Promise<void> {
  const code = [...others, force].join('\n');
  const [module, refused] = make(device, () => device.createShaderModule({ label: 'force', code }));
  const { messages } = await module.getCompilationInfo();
  const first = messages.find(({ type }) => type === 'error');
  const reason = first?.message ?? (await refused);
  if (reason === undefined) return;
  const lines = force.split('\n');
  const line = (first?.lineNum ?? 0) - (code.split('\n').length - lines.length);
  if (line < 1) {
    throw bad(`${what} needs fn acceleration(place: vec3f, velocity: vec3f, time: f32) -> vec3f: ${reason}`);
  }
  throw bad(`${what} does not compile, line ${line}: ${reason}\n  ${lines[line - 1].trim()}`);
}

async function compareForms(device: GPUDevice, setup: Setup, force: string): Promise<void> {
  const samples = tryProgram(setup).flat();
  const given = Float32Array.from(
    samples.flatMap(({ place, velocity, time }) => [...place, time, ...velocity, 0]),
  );
  const results = await evaluate(device, force, given);
  const program = setup.stepped!.program!;
  const { error } = program;
  for (let i = 0; i < samples.length; i++) {
    const single = given.subarray(8 * i, 8 * i + 8);
    const [place, velocity] = [vectorAt(single, 0), vectorAt(single, 4)];
    const expected = accelerationAt(program, place, velocity, single[3]);
    const found = vectorAt(results, 4 * i);
    const differ = Math.hypot(...found.map((value, axis) => value - expected[axis]));
    if (differ <= error) continue;
    throw bad(differs(samples[i], found, expected, differ, error));
  }
}

const vectorAt = (numbers: Float32Array, at: number): Vector => [
  numbers[at],
  numbers[at + 1],
  numbers[at + 2],
];

const differs = (
  sample: ProgramSample,
  found: Vector,
  expected: Vector,
  differ: number,
  error: number,
): string =>
  `${what} gives ${found.join(' ')} at ${sample.place.join(' ')} and ${sample.time} s, but its function gives ` +
  `${expected.join(' ')}: they differ by ${differ}, more than the stated error of ${error}`;

/** Four numbers per eight arguments. */
async function evaluate(
  device: GPUDevice,
  force: string,
  given: Float32Array<ArrayBuffer>,
): Promise<Float32Array> {
  const kernel = await createKernel(device, 'try-force', [trySource, force]).catch((error: unknown) => {
    if ((error as Partial<GPUPipelineError>).reason !== 'validation') throw error;
    throw bad(`${what} cannot be used: ${(error as GPUPipelineError).message}`);
  });
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
  const buffer = (label: string, size: number) => device.createBuffer({ label, size, usage });
  const [[from, to], refused] = make(device, () => [
    buffer('force: arguments', given.byteLength),
    buffer('force: results', given.byteLength / 2),
  ]);
  const readBack = new ReadBack(device);
  try {
    const resources = new Resources();
    resources.set('forceArguments', from);
    resources.set('forceResults', to);
    device.queue.writeBuffer(from, 0, given);
    const encoder = device.createCommandEncoder({ label: 'try-force' });
    const pass = encoder.beginComputePass();
    new Launch(device, kernel, resources).encode(pass, Math.ceil(given.length / 8 / 64));
    pass.end();
    const piece = { buffer: to, offset: 0, bytes: given.byteLength / 2 };
    readBack.encode(encoder, [piece]);
    const reason = (await submit(device, encoder)) ?? (await refused);
    if (reason !== undefined) throw refusal(reason);
    return await readBack.read([piece], ([words]) => new Float32Array(words.slice().buffer));
  } finally {
    readBack.destroy();
    from.destroy();
    to.destroy();
  }
}
