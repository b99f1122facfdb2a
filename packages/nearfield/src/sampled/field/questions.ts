// The questions of the field method over a scene: intersection volumes and distance fields. The scene's engine is asked
// first. The CPU answers if the engine cannot.

import type { Body } from '../../bodies/body.ts';
import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import { bad, checkOptions, type Rules, wholeNumber } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import { type Limits, limitsOfPart } from '../../core/limits.ts';
import { inSlices, toEnd } from '../../core/waiting.ts';
import { type BareScene, coreOf } from '../../questions/bare-scene.ts';
import { bodiesOf, checkList, checkSolid } from '../../questions/checks.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import { samplerOf } from '../sampling.ts';
import { measureDepths } from './distance/depths.ts';
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
import { drawDepths } from './meshes/draw-depths.ts';
import { drawField } from './meshes/draw-field.ts';
import type { FieldTextures } from './sampling.ts';
import { checkCell } from './singles.ts';
import { localise } from './slices/localise.ts';
import {
  emptyVolume,
  linearFinder,
  sampleVolume,
  surroundings,
  type VolumeRequest,
  volumeRules,
  volumeTask,
} from './slices/slices.ts';
import { IntersectionVolume, type RawVolume } from './volume.ts';

/** The options of `scene.intersectionVolume`: how finely, and where, the intersection is sampled. */
export type VolumeOptions = VolumeRequest;
export type { FieldOptions } from './distance/sample-field.ts';

/** Checks the bodies of a question: at least one, none twice, each of them solid. */
function checkBodies(core: SceneCore, bodies: Body | readonly Body[]): readonly Body[] {
  const list = bodiesOf(bodies);
  if (list.length === 0) throw bad('bodies is an empty list; an intersection needs at least one body');
  if (new Set(list).size < list.length) {
    throw bad('an intersection needs different bodies; to intersect a body with itself, give it alone');
  }
  for (const body of list) {
    core.checkBody(body);
    if (!body.solid) checkSolid(body, body.snapshotNow().mesh);
  }
  return list;
}

/** `scene.intersectionVolume` describes the answer. */
export async function intersectionVolume(
  scene: BareScene,
  bodies: Body | readonly Body[],
  options: VolumeOptions = {},
): Promise<IntersectionVolume> {
  checkList('intersectionVolume', options);
  const core = coreOf(scene);
  const list = checkBodies(core, bodies);
  checkOptions(options, volumeRules, 'intersectionVolume');
  const question = core.questionAbout(...list);
  return core.withPositions(question, options, () => {
    const seen = list.map((_, i) => question.readableAt(i));
    return volumeOfSolids(core, seen, options);
  });
}

/** The intersection volume of solids from a snapshot, which do not change while it waits. */
export async function volumeOfSolids(
  core: SceneCore,
  seen: readonly SnapshotBody[],
  options: VolumeOptions,
): Promise<IntersectionVolume> {
  const raw = await volumeOnEngine(core, seen, options);
  if (raw !== undefined) return new IntersectionVolume(raw, core.engine.backend);
  const own = await inSlices(volumeWork(core, seen, options), options, () => {});
  return new IntersectionVolume(own, 'cpu');
}

/** `scene.intersectionVolumeSync` describes the answer. */
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
  const question = core.questionAbout(...list);
  const seen = list.map((_, i) => question.readableAt(i));
  return volumeOfSolidsSync(core, seen, options);
}

export const volumeOfSolidsSync = (
  core: SceneCore,
  seen: readonly SnapshotBody[],
  options: VolumeOptions,
): IntersectionVolume => new IntersectionVolume(toEnd(volumeWork(core, seen, options)), 'cpu');

/** Undefined if the CPU has to answer. */
async function volumeOnEngine(
  { engine, cpu }: SceneCore,
  seen: readonly SnapshotBody[],
  options: VolumeOptions,
): Promise<RawVolume | undefined> {
  const sample = samplerOf(engine);
  if (sample === undefined) return undefined;
  const task = volumeTask(seen, options);
  if (task === undefined) return emptyVolume(options);
  const depth = task.rule === 'two-bodies' ? (options.localisation ?? 0) : 0;
  const whole = wholeWindow(task.grid);
  const finder = () => surroundings(task.slabs ? linearFinder() : finderOf(cpu));
  const windows = depth === 0 ? [whole] : localise(seen, task.grid, whole, depth, finder());
  if (windows.length === 0) return { ...emptyVolume(options), grid: task.grid };
  const { depths = false } = options;
  // Only the exact search goes by trees.
  return sample(seen, options, turn => turn.volume(seen, task, windows, depths), depths !== true);
}

function* volumeWork(
  { cpu }: SceneCore,
  seen: readonly SnapshotBody[],
  options: VolumeOptions,
): Generator<number, RawVolume> {
  const raw = yield* sampleVolume(finderOf(cpu), seen, options);
  if (!options.depths) return raw;
  try {
    if (raw.count > 0) checkCell(raw.grid);
    const points = new IntersectionVolume(raw, 'cpu').points;
    const depths = yield* options.depths === 'distance-meshes'
      ? drawDepths(cpu, seen, raw)
      : measureDepths(cpu, seen, points);
    return { ...raw, depths: () => depths };
  } catch (error) {
    // The points are right even if their depths do not fit in singles.
    if ((error as Partial<NearfieldError>).code !== 'unsupported') throw error;
    const unfit = (): never => {
      throw error;
    };
    return { ...raw, depths: unfit };
  }
}

/** `scene.field` describes the answer. */
export async function field(
  scene: BareScene,
  body: Body,
  options: FieldOptions = {},
): Promise<DistanceField> {
  const core = coreOf(scene);
  const question = core.questionAbout(body);
  checkOptions(options, fieldRules, 'field');
  return core.withPositions(question, options, async () => {
    const seen = question.readableAt(0);
    const task = fieldTask(seen, options);
    return fieldOfSlab(core, seen, task, { first: 0, end: task.grid.dimensions[2] }, options);
  });
}

/** `scene.fieldSync` describes the answer. */
export function fieldSync(scene: BareScene<'cpu'>, body: Body, options: FieldOptions = {}): DistanceField {
  const core = coreOf(scene);
  core.checkSync('fieldSync');
  const seen = core.questionAbout(body).readableAt(0);
  const task = fieldTask(seen, options);
  const work = fieldWork(core, seen, task, { first: 0, end: task.grid.dimensions[2] });
  return new DistanceField(toEnd(work), seen, task.signed, 'cpu');
}

const fieldWork = (
  { cpu }: SceneCore,
  seen: SnapshotBody,
  task: FieldTask,
  slab: Slab,
): Generator<number, RawField> =>
  task.form === 'distance-meshes' ? drawField(cpu, seen, task, slab) : sampleField(cpu, seen, task, slab);

/** How many samples a slab holds at most. */
const samplesAtOnce = 2 ** 22;

/** A distance field in slabs along z, one after the other. */
export interface FieldSlabs extends AsyncIterable<DistanceField> {
  /** The grid of all slabs together. */
  readonly grid: Grid;
}

/** The field of a body as it is now, slab by slab. No more than one slab is in memory. */
export async function fieldSlabs(
  scene: BareScene,
  body: Body,
  options: FieldOptions = {},
): Promise<FieldSlabs> {
  const core = coreOf(scene);
  const question = core.questionAbout(body);
  checkOptions(options, fieldRules, 'fieldSlabs');
  return core.withPositions(question, options, async () =>
    slabsOfBody(core, question.readableAt(0), options),
  );
}

function slabsOfBody(core: SceneCore, body: SnapshotBody, options: FieldOptions): FieldSlabs {
  // The body may move while slabs are made. So its current state is kept, with a tree of its own if needed.
  const seen: SnapshotBody = {
    ...body,
    shape: { ...body.shape, mesh: body.mesh, positions: body.positions },
  };
  const task = fieldTask(seen, options);
  const slabs = slabsOf(task.grid, samplesAtOnce);
  return {
    grid: task.grid,
    async *[Symbol.asyncIterator]() {
      try {
        for (let i = 0; i < slabs.length; i++) {
          const part = limitsOfPart(options, i / slabs.length, (i + 1) / slabs.length);
          const limits = { ...options, ...part };
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
  seen: SnapshotBody,
  task: FieldTask,
  slab: Slab,
  limits: Limits,
): Promise<DistanceField> {
  const raw = await fieldOnEngine(core, seen, task, slab, limits);
  if (raw !== undefined) return new DistanceField(raw, seen, task.signed, core.engine.backend);
  const own = await inSlices(fieldWork(core, seen, task, slab), limits, () => {});
  return new DistanceField(own, seen, task.signed, 'cpu');
}

async function fieldOnEngine(
  { engine, cpu }: SceneCore,
  seen: SnapshotBody,
  task: FieldTask,
  slab: Slab,
  limits: Limits,
): Promise<RawField | undefined> {
  const raw = await samplerOf(engine)?.([seen], limits, turn => turn.field(seen, task, slab, cpu));
  if (raw === undefined || !task.signed || seen.mesh.solid) return raw;
  // Signs of an open mesh come from the CPU, so that every backend gives the same.
  return inSlices(signField(finderOf(cpu), seen, raw), limits, () => {});
}

/**
 * 3D textures of a field on the scene's device: the library's own, or the application's. They belong to the
 * caller, who destroys them. Sample (i, j, k) is texel (i, j, k).
 */
export interface FieldTexture extends FieldTextures {
  /** Where the samples lie. */
  readonly grid: Grid;
}

/** The options of a field's textures: those of the field, and the textures' usage. */
export interface FieldTextureOptions extends FieldOptions {
  /** The GPUTextureUsage of both textures; default: bind and copy out. COPY_DST is always added. */
  readonly usage?: number | undefined;
}

const textureRules: Rules<FieldTextureOptions> = { ...fieldRules, usage: wholeNumber(0, 2 ** 32 - 1) };

/** `scene.fieldTexture` describes the answer. */
export async function fieldTexture(
  scene: BareScene,
  body: Body,
  options: FieldTextureOptions = {},
): Promise<FieldTexture> {
  const core = coreOf(scene);
  const { engine } = core;
  const question = core.questionAbout(body);
  checkOptions(options, textureRules, 'fieldTexture');
  const sample = samplerOf(engine);
  if (sample === undefined) {
    throw new NearfieldError('no-gpu', 'fieldTexture needs the gpu backend; this scene has the cpu backend');
  }
  let textures: FieldTextures | undefined;
  const answer = core.withPositions(question, options, async () => {
    const seen = question.readableAt(0);
    const { usage, ...ofField } = options;
    const task = fieldTask(seen, ofField);
    const onCpu = (slab: Slab) => inSlices(fieldWork(core, seen, task, slab), options, () => {});
    const make = (elsewhere: boolean) =>
      sample([seen], options, async turn => {
        textures = await turn.textures(seen, task, core.cpu, usage, elsewhere ? onCpu : undefined);
        return textures;
      });
    const open = task.signed && !seen.mesh.solid;
    const made = (await make(open)) ?? (await make(true));
    return { ...made!, grid: task.grid };
  });
  return answer.catch((error: unknown) => {
    // They were made, and then the library was closed or the device refused them.
    if (textures !== undefined) for (const texture of Object.values(textures)) texture.destroy();
    throw error;
  });
}
