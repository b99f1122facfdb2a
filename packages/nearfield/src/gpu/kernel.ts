// Compute kernels: WGSL composed from whole named modules, compiled once a device, bound by name.

export interface Kernel {
  readonly label: string;
  readonly pipeline: GPUComputePipeline;
  /** Binding numbers by the names the WGSL gives them. */
  readonly bindings: ReadonlyMap<string, number>;
}

/** What is bound to a name: a whole buffer, or a window of one. */
export type Resource = GPUBuffer | GPUBufferBinding;

/** Compiled once a device, whoever asks: engines on one device share their kernels. */
const compiled = new WeakMap<GPUDevice, Map<string, Promise<Kernel>>>();

/** Declarations may come in any order in WGSL, so modules are joined as they are. */
export function createKernel(
  device: GPUDevice,
  label: string,
  modules: readonly string[],
  constants: Record<string, number> = {},
): Promise<Kernel> {
  const code = modules.join('\n');
  let kernels = compiled.get(device);
  if (kernels === undefined) compiled.set(device, (kernels = new Map()));
  const key = `${JSON.stringify(constants)}${code}`;
  let kernel = kernels.get(key);
  if (kernel === undefined) kernels.set(key, (kernel = compile(device, label, code, constants)));
  return kernel;
}

async function compile(
  device: GPUDevice,
  label: string,
  code: string,
  constants: Record<string, number>,
): Promise<Kernel> {
  const bindings = new Map<string, number>();
  for (const match of code.matchAll(/@group\(0\)\s*@binding\((\d+)\)\s*var<[^>]*>\s*(\w+)/g)) {
    bindings.set(match[2], Number(match[1]));
  }
  const module = device.createShaderModule({ label, code });
  const pipeline = await device.createComputePipelineAsync({
    label,
    layout: 'auto',
    compute: { module, entryPoint: 'main', constants },
  });
  return { label, pipeline, bindings };
}

/**
 * Bind groups, made again only when a buffer of theirs was replaced. One instance serves one place in the
 * flow; `get` compares the buffers with those of the group it made last.
 */
export class Binding {
  readonly #kernel: Kernel;
  #resources: Resource[] = [];
  #group: GPUBindGroup | undefined;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  get(device: GPUDevice, resources: Readonly<Record<string, Resource>>): GPUBindGroup {
    const values: Resource[] = [];
    let same = this.#group !== undefined;
    for (const name of this.#kernel.bindings.keys()) {
      const resource = resources[name];
      if (resource === undefined) throw new Error(`${this.#kernel.label}: nothing is bound to ${name}`);
      same &&= sameResource(resource, this.#resources[values.length]);
      values.push(resource);
    }
    if (!same) {
      const numbers = [...this.#kernel.bindings.values()];
      this.#resources = values;
      this.#group = device.createBindGroup({
        label: this.#kernel.label,
        layout: this.#kernel.pipeline.getBindGroupLayout(0),
        entries: values.map((resource, i) => ({
          binding: numbers[i],
          resource: 'buffer' in resource ? resource : { buffer: resource },
        })),
      });
    }
    return this.#group!;
  }
}

function sameResource(a: Resource, b: Resource | undefined): boolean {
  if (a === b) return true;
  if (b === undefined || !('buffer' in a) || !('buffer' in b)) return false;
  return a.buffer === b.buffer && a.offset === b.offset && a.size === b.size;
}
