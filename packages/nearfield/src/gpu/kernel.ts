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
  if (kernel === undefined) {
    kernels.set(key, (kernel = compile(device, label, code, constants)));
    // One that failed is tried again by who asks next.
    kernel.catch(() => kernels.delete(key));
  }
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
 * What names are bound to, by name, kept between queries. Its generation grows with every change, so that who
 * holds a bind group sees at once whether it still holds.
 */
export class Resources {
  readonly #parent: Resources | undefined;
  readonly #own = new Map<string, Resource>();
  #changes = 0;

  /** With a parent, names that are not set here are looked up there. */
  constructor(parent?: Resources) {
    this.#parent = parent;
  }

  get generation(): number {
    return this.#parent === undefined ? this.#changes : this.#changes + this.#parent.generation;
  }

  set(name: string, resource: Resource): void {
    if (this.#own.get(name) === resource) return;
    this.#own.set(name, resource);
    this.#changes++;
  }

  get(name: string): Resource | undefined {
    return this.#own.get(name) ?? this.#parent?.get(name);
  }
}

/** A kernel at one place in the flow. Its bind group is made again only when a resource was replaced. */
export class Launch {
  readonly #device: GPUDevice;
  readonly #kernel: Kernel;
  readonly #resources: Resources;
  #generation = -1;
  #group: GPUBindGroup | undefined;

  constructor(device: GPUDevice, kernel: Kernel, resources: Resources) {
    this.#device = device;
    this.#kernel = kernel;
    this.#resources = resources;
  }

  /** As many workgroups as given, but at least one and as many as a dispatch can have. */
  encode(pass: GPUComputePassEncoder, groups: number): void {
    const { generation } = this.#resources;
    if (generation !== this.#generation) {
      this.#group = this.#bind();
      this.#generation = generation;
    }
    pass.setPipeline(this.#kernel.pipeline);
    pass.setBindGroup(0, this.#group!);
    pass.dispatchWorkgroups(groups < 1 ? 1 : groups > mostGroups ? mostGroups : groups);
  }

  #bind(): GPUBindGroup {
    const { label, pipeline, bindings } = this.#kernel;
    const entries: GPUBindGroupEntry[] = [];
    for (const [name, binding] of bindings) {
      const resource = this.#resources.get(name);
      if (resource === undefined) throw new Error(`${label}: nothing is bound to ${name}`);
      entries.push({ binding, resource: 'buffer' in resource ? resource : { buffer: resource } });
    }
    return this.#device.createBindGroup({ label, layout: pipeline.getBindGroupLayout(0), entries });
  }
}

const mostGroups = 65535;
