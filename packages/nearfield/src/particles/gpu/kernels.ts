// The kernels of particles. Kernels that follow lives are compiled for the kinds of colliders in use. Code for other
// kinds is left out.

import { createKernel, type Kernel } from '../../gpu/kernel.ts';
import filterModule from '../../math/gpu/filter.wgsl';
import wideModule from '../../math/gpu/wide.wgsl';
import blobsModule from '../colliders/blobs.wgsl';
import fieldModule from '../colliders/field.wgsl';
import meshModule from '../colliders/mesh.wgsl';
import outlineModule from '../colliders/surfaces/outline.wgsl';
import surfaceModule from '../colliders/surfaces/surface.wgsl';
import pathModule from '../motion/path.wgsl';
import rigidModule from '../motion/rigid.wgsl';
import hashModule from '../motion/start/hash.wgsl';
import startModule from '../motion/start/start.wgsl';
import programModule from '../motion/stepped/force-program.wgsl';
import noForceModule from '../motion/stepped/no-force.wgsl';
import sampledGridModule from '../motion/stepped/sampled-grid.wgsl';
import steppedModule from '../motion/stepped/stepped.wgsl';
import ticksModule from '../motion/ticks.wgsl';
import turnsModule from '../motion/turns.wgsl';
import crossingModule from '../roots/first-crossing.wgsl';
import { layoutsWgsl } from './layouts.ts';
import mapFormsModule from './maps/map-forms.wgsl';
import columnsModule from './wgsl/columns.wgsl';
import dueSource from './wgsl/find-due.wgsl';
import followSource from './wgsl/follow-lives.wgsl';
import livesModule from './wgsl/lives.wgsl';
import placeSource from './wgsl/place-positions.wgsl';
import putSource from './wgsl/put-segments.wgsl';
import respondModule from './wgsl/respond.wgsl';
import rowsModule from './wgsl/rows.wgsl';
import solveModule from './wgsl/solve.wgsl';

/** The kinds of colliders in use that need code of their own. */
export interface Kinds {
  readonly turns: boolean;
  readonly quadrics: boolean;
  readonly meshes: boolean;
  readonly fields: boolean;
  readonly blobs: boolean;
  /** Whether motion is stepped. */
  readonly steps: boolean;
  /** Whether steps are of second order. */
  readonly secondOrder: boolean;
  /** The WGSL of a force, if it is given so. */
  readonly force: string | undefined;
}

export interface ParticleKernels {
  readonly due: Kernel;
  readonly follow: Kernel;
  readonly put: Kernel;
  readonly place: Kernel;
}

const motion = [
  layoutsWgsl,
  filterModule,
  ticksModule,
  hashModule,
  turnsModule,
  pathModule,
  startModule,
  rigidModule,
  rowsModule,
];
const following = [
  wideModule,
  surfaceModule,
  outlineModule,
  blobsModule,
  fieldModule,
  meshModule,
  crossingModule,
];

/** The force comes last: if both declare the same name, the compiler then points at the application's line. */
const stepping = ({ force }: Pick<Kinds, 'force'>) => [
  sampledGridModule,
  steppedModule,
  programModule,
  livesModule,
  force ?? noForceModule,
];

export const followModules = (kinds: Pick<Kinds, 'force'>): readonly string[] => [
  ...motion,
  ...following,
  solveModule,
  respondModule,
  mapFormsModule,
  columnsModule,
  followSource,
  ...stepping(kinds),
];

/** Placing particles. */
export const placeModules = (kinds: Pick<Kinds, 'force'>): readonly string[] => [
  ...motion,
  placeSource,
  ...stepping(kinds),
];

const orderOf = ({ secondOrder, force }: Kinds) => ({
  secondOrder: Number(secondOrder),
  anyProgram: Number(force !== undefined),
});

/** Following lives; with columns, certain impacts get their numbers in single precision. */
export const createFollowKernel = (device: GPUDevice, kinds: Kinds, columns: boolean): Promise<Kernel> =>
  createKernel(device, columns ? 'follow-lives with columns' : 'follow-lives', followModules(kinds), {
    anyTurns: Number(kinds.turns),
    anyQuadrics: Number(kinds.quadrics),
    anyMeshes: Number(kinds.meshes),
    anyFields: Number(kinds.fields),
    anyBlobs: Number(kinds.blobs),
    anySteps: Number(kinds.steps),
    ...orderOf(kinds),
    emitsColumns: Number(columns),
  });

export async function createParticleKernels(device: GPUDevice, kinds: Kinds): Promise<ParticleKernels> {
  const [due, follow, put, place] = await Promise.all([
    createKernel(device, 'find-due', [layoutsWgsl, ticksModule, dueSource]),
    createFollowKernel(device, kinds, false),
    createKernel(device, 'put-segments', [layoutsWgsl, filterModule, putSource]),
    createKernel(device, 'place-positions', placeModules(kinds), orderOf(kinds)),
  ]);
  return { due, follow, put, place };
}
