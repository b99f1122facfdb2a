// Opens a GPU engine that can be asked everything: each question's code for it is loaded when it is first asked.

import type { BackendCosts } from './core/backend-costs.ts';
import { Costs } from './core/costs.ts';
import { NearfieldError } from './core/errors.ts';
import { type OpenedDevice, openDevice, wrapDevice } from './gpu/device/device.ts';
import { roundTrip } from './gpu/device/round-trip.ts';
import { type DriverLoaders, GpuEngine } from './gpu/engine.ts';
import type { Settings } from './gpu/session.ts';
import { gpuPairDriver } from './interferences/driver.ts';

export interface GpuEngineOptions {
  /** The application's own device, shared and never destroyed here. */
  readonly device?: GPUDevice | undefined;
  /** Refuse a software adapter (error 'no-gpu'). */
  readonly hardwareOnly?: boolean | undefined;
  /** Learn what answers take, so that the CPU may answer what it answers sooner, and everything while kernels are compiled. */
  readonly learnsCosts?: boolean | undefined;
  /** What was learnt before. */
  readonly costs?: BackendCosts | undefined;
  /** For tests (gpu/session.ts). */
  readonly settings?: Settings | undefined;
}

const loaders: DriverLoaders = {
  interferences: () => import('./interferences/gpu-driver.ts'),
  distance: () => import('./distance/gpu/driver.ts'),
  rays: () => import('./rays/gpu/driver.ts'),
  regions: () => import('./regions/gpu/driver.ts'),
  sampled: () => import('./sampled/gpu-driver.ts'),
  motion: () => import('./motion/linear/gpu/driver.ts'),
  particles: () => import('./particles/gpu/driver.ts'),
};

export async function createGpuEngine(options: GpuEngineOptions = {}): Promise<GpuEngine> {
  const opened = options.device === undefined ? await openDevice() : wrapDevice(options.device);
  if (opened.software && options.hardwareOnly) {
    if (opened.owned) opened.device.destroy();
    throw new NearfieldError('no-gpu', `the only adapter is in software: ${opened.name}`);
  }
  return engineOn(
    opened,
    options.settings,
    options.learnsCosts ? costsOf(opened.name, options.costs) : undefined,
  );
}

/** What answers take, by the name of the GPU. */
const costsByDevice = new Map<string, Costs>();

function costsOf(device: string, given: BackendCosts | undefined): Costs {
  let costs = costsByDevice.get(device);
  if (costs === undefined) {
    costsByDevice.set(device, (costs = new Costs()));
    if (given?.device === device) costs.take(given);
  }
  return costs;
}

/** An engine on a device that is open. What most questions need is compiled now, or with `costs` in the background. */
export async function engineOn(
  opened: OpenedDevice,
  settings: Settings = {},
  costs?: Costs,
): Promise<GpuEngine> {
  const engine = new GpuEngine(opened, loaders, settings, costs);
  const compile = async () => (await engine.driver(gpuPairDriver)).compile();
  if (costs !== undefined) {
    engine.isReady = false;
    // A turn of its own: the device must not be destroyed meanwhile. If kernels cannot be compiled, the CPU goes on answering,
    // and a question that only a GPU can answer says why.
    const prepare = async () => {
      await compile();
      costs.noteRoundTrip(await roundTrip(engine.device, costs.now).catch(() => Infinity));
    };
    engine.inTurn(prepare).then(
      () => {
        engine.isReady = true;
      },
      () => {},
    );
    return engine;
  }
  try {
    await compile();
  } catch (error) {
    engine.close();
    throw error;
  }
  return engine;
}
