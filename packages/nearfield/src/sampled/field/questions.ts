// The questions of the field method as a scene asks them: what bodies have in common, and distance fields. The engine of
// the scene is asked first; the CPU's where it has no way of its own, or says it cannot tell.

import { Body } from '../../bodies/body.ts';
import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import { bad, checkOptions, inWords, isObject, type Rules, wholeNumber } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { Limits } from '../../core/limits.ts';
import { inSlices, toEnd } from '../../core/waiting.ts';
import { type BareScene, coreOf } from '../../questions/bare-scene.ts';
import { checkList, checkSolid } from '../../questions/checks.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import { samplerOf } from '../sampling.ts';
import {
  type FieldOptions,
  type FieldTask,
  fieldRules,
  fieldTask,
  type Slab,
  sampleField,
  signField,
  slabsOf,
} from './distance/sample-field.ts';
import { DistanceField, type RawField } from './field.ts';
import { type Grid, wholeWindow } from './grid.ts';
import type { FieldTextures } from './sampling.ts';
import { measureDepths } from './slices/depths.ts';
import { localise } from './slices/localise.ts';
import {
  emptyVolume,
  sampleVolume,
  surroundings,
  type VolumeRequest,
  volumeRules,
  volumeTask,
} from './slices/slices.ts';
import { IntersectionVolume, type RawVolume } from './volume.ts';

export type VolumeOptions = VolumeRequest;
export type { FieldOptions } from './distance/sample-field.ts';

/** Bodies of a question: at least one, none twice, each of them solid. */
function checkBodies(core: SceneCore, bodies: Body | readonly Body[]): readonly Body[] {
  if (
    !(
      bodies instanceof Body ||
      (isObject(bodies) && Symbol.iterator in bodies && !ArrayBuffer.isView(bodies))
    )
  ) {
    throw bad(`bodies is one body or a list of them, not ${inWords(bodies)}`);
  }
  const list = bodies instanceof Body ? [bodies] : [...bodies];
  if (list.length === 0) throw bad('bodies is an empty list: an intersection is of one body or more');
  if (new Set(list).size < list.length) {
    throw bad('an intersection is of different bodies; for one with itself give it alone');
  }
  for (const body of list) {
    core.checkBody(body);
    if (!body.solid) checkSolid(body, body.snapshotNow().mesh);
  }
  return list;
}

/** `scene.intersectionVolume`, which says what it answers. */
export async function intersectionVolume(
  scene: BareScene,
  bodies: Body | readonly Body[],
  options: VolumeOptions = {},
): Promise<IntersectionVolume> {
  checkList('intersectionVolume', options);
  const core = coreOf(scene);
  const list = checkBodies(core, bodies);
  checkOptions(options, volumeRules, 'intersectionVolume');
  const question = core.ask(...list);
  return core.positions(question, options, () => {
    const moments = list.map((_, i) => question.readableAt(i));
    return volumeOfMoments(core, moments, options);
  });
}

/** Of solids as a question saw them: while it waits they stay so. */
export async function volumeOfMoments(
  core: SceneCore,
  moments: readonly SnapshotBody[],
  options: VolumeOptions,
): Promise<IntersectionVolume> {
  const raw = await volumeOnEngine(core, moments, options);
  if (raw !== undefined) return new IntersectionVolume(raw, core.engine.backend);
  const own = await inSlices(volumeWork(core, moments, options), options, () => {});
  return new IntersectionVolume(own, 'cpu');
}

/** `scene.intersectionVolumeSync`, which says what it answers. */
export function intersectionVolumeSync(
  scene: BareScene<'cpu'>,
  bodies: Body | readonly Body[],
  options: VolumeOptions = {},
): IntersectionVolume {
  checkList('intersectionVolumeSync', options);
  const core = coreOf(scene);
  core.checkSync('intersectionVolumeSync');
  const list = checkBodies(core, bodies);
  checkOptions(options, volumeRules, 'intersectionVolume');
  const question = core.ask(...list);
  const moments = list.map((_, i) => question.readableAt(i));
  return volumeOfMomentsSync(core, moments, options);
}

export const volumeOfMomentsSync = (
  core: SceneCore,
  moments: readonly SnapshotBody[],
  options: VolumeOptions,
): IntersectionVolume => new IntersectionVolume(toEnd(volumeWork(core, moments, options)), 'cpu');

/** Undefined where the CPU is to be asked. */
async function volumeOnEngine(
  { engine, cpu }: SceneCore,
  moments: readonly SnapshotBody[],
  options: VolumeOptions,
): Promise<RawVolume | undefined> {
  const sample = samplerOf(engine);
  if (sample === undefined) return undefined;
  const task = volumeTask(moments, options);
  if (task === undefined) return emptyVolume(options);
  const depth = task.rule === 'two-bodies' ? (options.localisation ?? 0) : 0;
  const windows = localise(moments, task.grid, wholeWindow(task.grid), depth, surroundings(finderOf(cpu)));
  if (windows.length === 0) return { ...emptyVolume(options), grid: task.grid };
  return sample(moments, options, turn => turn.volume(moments, task, windows, options.depths === true));
}

function* volumeWork(
  { cpu }: SceneCore,
  moments: readonly SnapshotBody[],
  options: VolumeOptions,
): Generator<number, RawVolume> {
  const raw = yield* sampleVolume(finderOf(cpu), moments, options);
  if (!options.depths) return raw;
  const points = new IntersectionVolume(raw, 'cpu').points;
  const depths = yield* measureDepths(cpu, moments, points);
  return { ...raw, depths: () => depths };
}

/** `scene.field`, which says what it answers. */
export async function field(
  scene: BareScene,
  body: Body,
  options: FieldOptions = {},
): Promise<DistanceField> {
  const core = coreOf(scene);
  const question = core.ask(body);
  checkOptions(options, fieldRules, 'field');
  return core.positions(question, options, async () => {
    const moment = question.readableAt(0);
    const task = fieldTask(moment, options);
    return fieldOfSlab(core, moment, task, { first: 0, end: task.grid.dimensions[2] }, options);
  });
}

/** `scene.fieldSync`, which says what it answers. */
export function fieldSync(scene: BareScene<'cpu'>, body: Body, options: FieldOptions = {}): DistanceField {
  const core = coreOf(scene);
  core.checkSync('fieldSync');
  const moment = core.ask(body).readableAt(0);
  const task = fieldTask(moment, options);
  const work = sampleField(core.cpu, moment, task, { first: 0, end: task.grid.dimensions[2] });
  return new DistanceField(toEnd(work), moment, task.signed, 'cpu');
}

/** A slab at a time holds so many samples. */
const samplesAtOnce = 2 ** 22;

export interface FieldSlabs extends AsyncIterable<DistanceField> {
  /** The grid of all of them. */
  readonly grid: Grid;
}

/** The field of a body as it stands now, slab by slab: never more than one is held. */
export async function fieldSlabs(
  scene: BareScene,
  body: Body,
  options: FieldOptions = {},
): Promise<FieldSlabs> {
  const core = coreOf(scene);
  const question = core.ask(body);
  checkOptions(options, fieldRules, 'fieldSlabs');
  return core.positions(question, options, async () => slabsOfMoment(core, question.readableAt(0), options));
}

function slabsOfMoment(core: SceneCore, moment: SnapshotBody, options: FieldOptions): FieldSlabs {
  // While slabs are made the body may move: what was seen of it is kept, and given a tree of its own if need be.
  const seen: SnapshotBody = {
    ...moment,
    shape: { ...moment.shape, mesh: moment.mesh, positions: moment.positions },
  };
  const task = fieldTask(seen, options);
  const slabs = slabsOf(task.grid, samplesAtOnce);
  return {
    grid: task.grid,
    async *[Symbol.asyncIterator]() {
      try {
        for (let i = 0; i < slabs.length; i++) {
          const progress = (done: number) => options.progress?.((i + done) / slabs.length);
          const limits = { ...options, progress };
          yield await core.whileOpen(() => fieldOfSlab(core, seen, task, slabs[i], limits));
        }
      } finally {
        core.engine.forget(seen.shape);
        core.cpu.forget(seen.shape);
      }
    },
  };
}

async function fieldOfSlab(
  core: SceneCore,
  moment: SnapshotBody,
  task: FieldTask,
  slab: Slab,
  limits: Limits,
): Promise<DistanceField> {
  const raw = await fieldOnEngine(core, moment, task, slab, limits);
  if (raw !== undefined) return new DistanceField(raw, moment, task.signed, core.engine.backend);
  const own = await inSlices(sampleField(core.cpu, moment, task, slab), limits, () => {});
  return new DistanceField(own, moment, task.signed, 'cpu');
}

async function fieldOnEngine(
  { engine, cpu }: SceneCore,
  moment: SnapshotBody,
  task: FieldTask,
  slab: Slab,
  limits: Limits,
): Promise<RawField | undefined> {
  const raw = await samplerOf(engine)?.([moment], limits, turn => turn.field(moment, task, slab, cpu));
  if (raw === undefined || !task.signed || moment.mesh.solid) return raw;
  // Signs of an open mesh come from the CPU, so that every backend gives the same.
  return inSlices(signField(finderOf(cpu), moment, raw), limits, () => {});
}

/**
 * Textures of a field, 3D, on the scene's device: the library's own, or the one given to open(). They belong to the caller,
 * who destroys them. Sample (i, j, k) is texel (i, j, k).
 */
export interface FieldTexture extends FieldTextures {
  readonly grid: Grid;
}

export interface FieldTextureOptions extends FieldOptions {
  /** GPUTextureUsage of both textures; binding and copying out of them if left out. COPY_DST is always added. */
  readonly usage?: number | undefined;
}

const textureRules: Rules<FieldTextureOptions> = { ...fieldRules, usage: wholeNumber(0, 2 ** 32 - 1) };

/** `scene.fieldTexture`, which says what it answers. */
export async function fieldTexture(
  scene: BareScene,
  body: Body,
  options: FieldTextureOptions = {},
): Promise<FieldTexture> {
  const core = coreOf(scene);
  const { engine } = core;
  const question = core.ask(body);
  checkOptions(options, textureRules, 'fieldTexture');
  const sample = samplerOf(engine);
  if (sample === undefined) {
    throw new NearfieldError(
      'no-gpu',
      `fieldTexture needs the gpu backend: open({ backend: 'gpu' }) or open({ device })`,
    );
  }
  return core.positions(question, options, async () => {
    const moment = question.readableAt(0);
    const { usage, ...ofField } = options;
    const task = fieldTask(moment, ofField);
    const onCpu = (slab: Slab) => inSlices(sampleField(core.cpu, moment, task, slab), options, () => {});
    const make = (elsewhere: boolean) =>
      sample([moment], options, turn =>
        turn.textures(moment, task, core.cpu, usage, elsewhere ? onCpu : undefined),
      );
    const open = task.signed && !moment.mesh.solid;
    const textures = (await make(open)) ?? (await make(true));
    return { ...textures!, grid: task.grid };
  });
}
