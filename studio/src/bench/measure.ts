// Measures how long a question takes. It is asked repeatedly for a while, and the median counts, since a browser rounds
// its clock and does other work. The code is the same for the CPU, in a worker, and for the GPU, in the page, which is
// idle while the GPU works.

import { type Mesh, mesh, type Nearfield, NearfieldError } from 'nearfield';
import {
  crowdSession,
  extent,
  type Frame,
  frameRate,
  layered,
  type MethodJob,
  type PageJob,
  type ParticleJob,
  particleOptions,
  quantile,
  sampled,
} from 'nearfield-bench/page';
import type { Limits } from '../engine/types.ts';
import type { BodiesData, CaseData, Times } from './types.ts';

/** The minimum length of a sample in milliseconds. Short questions are asked several times per sample. */
const leastSample = 1;
const mostSamples = 400;
const fewestSamples = 5;
/** The fewest samples of a question that takes `long` milliseconds or more, as on a software GPU. */
const fewestLong = 3;
const long = 1000;

export async function measureCase(
  nf: Nearfield,
  job: PageJob,
  time: number,
  { signal, progress }: Limits,
): Promise<Times> {
  const { again, close } = isParticles(job) ? await particlesOf(nf, job) : framesOf(nf, job);
  const goOn = () => {
    signal?.throwIfAborted();
  };
  try {
    // Warm-up: kernels are compiled and data is in memory. The last of three runs is timed to choose how many make a
    // sample; if one run takes long, it is timed itself.
    let once = 0;
    for (let i = 0; i < 3 && once < long; i++) {
      goOn();
      const start = performance.now();
      await again();
      once = Math.max(performance.now() - start, 0.001);
    }
    const batch = Math.ceil(leastSample / once);
    const samples: number[] = [];
    const begun = performance.now();
    const fewest = once < long ? fewestSamples : fewestLong;
    const isEnough = () => performance.now() - begun > time && samples.length >= fewest;
    while (!isEnough() && samples.length < mostSamples) {
      goOn();
      const start = performance.now();
      for (let i = 0; i < batch; i++) await again();
      samples.push((performance.now() - start) / batch);
      progress?.(Math.min(1, (performance.now() - begun) / time));
      // Yield to the event loop: otherwise a worker never receives the message that cancels it.
      if (samples.length % 8 === 0) await new Promise(resolve => setTimeout(resolve));
    }
    samples.sort((a, b) => a - b);
    const [low, median, high] = [0.25, 0.5, 0.75].map(share => quantile(samples, share));
    return { median, low, high, runs: samples.length * batch };
  } finally {
    close();
  }
}

const isParticles = (job: PageJob | CaseData): job is ParticleJob => 'particles' in job;

/** The question that is asked repeatedly. */
interface Asked {
  again(): unknown;
  close(): void;
}

/** Advances by a sixtieth of a second per call. Calls begin after twice the length of a life and 12 frames of warm-up. */
async function particlesOf(nf: Nearfield, { particles: job }: ParticleJob): Promise<Asked> {
  const particles = await nf.particles(particleOptions(job));
  let time = 2 * job.life;
  const again = () => {
    time += 1 / frameRate;
    return particles.advance(time);
  };
  try {
    particles.seek(time);
    for (let i = 0; i < 12; i++) await again();
  } catch (error) {
    particles.close();
    throw error;
  }
  return { again, close: () => particles.close() };
}

function framesOf(nf: Nearfield, job: MethodJob): Asked {
  const { frames } = job;
  const { ask, close } = sessionOf(nf, job);
  let run = 0;
  return { again: () => ask(frames[run++ % frames.length]), close };
}

interface Session {
  ask(frame: Frame): unknown;
  close(): void;
}

function sessionOf(nf: Nearfield, job: MethodJob): Session {
  const scene = nf.scene();
  const method = job.method === 'visibility' ? 'visibility' : 'auto';
  if (job.question === 'scene') {
    const { ask } = crowdSession(scene, job, detail => scene.interferences({ detail, method }));
    return { ask, close: () => scene.close() };
  }
  if (job.question === 'build') {
    // A tiny triangle in the middle of the box: asking about it costs almost nothing but the tree.
    scene.add(speckIn(job.bodies[0].mesh.bounds));
    const ask = async () => {
      const body = scene.add(job.bodies[0].mesh, { pose: job.bodies[0].pose });
      await scene.interferences({ detail: 'any' });
      scene.remove(body);
    };
    return { ask, close: () => scene.close() };
  }
  const bodies = job.bodies.map(({ mesh, pose }) => scene.add(mesh, { pose }));
  const place = ({ allPoses, positions, allPositions = [] }: Frame) => {
    if (allPoses) scene.setPoses(allPoses);
    if (positions) bodies[0].deform(positions);
    for (const [i, own] of allPositions.entries()) if (own.length > 0) bodies[i].deform(own);
  };
  const looking =
    job.method === 'raycast'
      ? sampled(scene, job)
      : job.method === 'layers'
        ? layered(scene, job)
        : undefined;
  const question = (): unknown => {
    switch (job.question) {
      case 'pairs':
        return scene.interferences({ detail: 'list', method });
      case 'bodies':
        return scene.interferences({ detail: 'any' });
      case 'self':
        return scene.selfIntersections(bodies[0]);
      case 'distance':
        return scene.distance(bodies[0], bodies[1]);
      case 'volume':
        return scene.intersectionVolume(bodies, { tolerance: job.tolerance, depths: true });
      default:
        throw new NearfieldError('unsupported', `the page has no benchmark of ${job.question}`);
    }
  };
  return {
    ask(frame) {
      place(frame);
      return looking ? looking.ask(frame) : question();
    },
    close: () => scene.close(),
  };
}

/** A small triangle in the middle of a box. */
function speckIn(bounds: Mesh['bounds']): Mesh {
  const { size, center } = extent(bounds);
  const positions = Float64Array.from([...center, ...center, ...center]);
  positions[3] += 1e-3 * size[0];
  positions[7] += 1e-3 * size[1];
  return mesh(positions);
}

/** Sends each mesh once. */
export function dataOf(job: PageJob): CaseData {
  if (isParticles(job)) return job;
  const { scene, name, question, frames, bodies, tolerance, images, series, method } = job;
  const meshes = [...new Set(bodies.map(({ mesh }) => mesh))];
  const places = new Map(meshes.map((mesh, i) => [mesh, i]));
  return {
    ...{ scene, name, question, frames, tolerance, images, series, method },
    meshes: meshes.map(({ positions, indices }) => ({ positions: Float32Array.from(positions), indices })),
    bodies: bodies.map(({ mesh, pose }) => ({ mesh: places.get(mesh)!, pose })),
  };
}

export function caseOf(data: CaseData): PageJob {
  return isParticles(data) ? data : jobOf(data);
}

function jobOf({ meshes, bodies, ...same }: BodiesData): MethodJob {
  const made = meshes.map(({ positions, indices }) => mesh(positions, indices));
  return {
    ...same,
    bodies: bodies.map(({ mesh, pose }) => ({ mesh: made[mesh], pose })),
  };
}
