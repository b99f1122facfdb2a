// Compute kernels: WGSL joined from whole named modules, compiled once per device, with resources bound by name.

export interface Kernel {
  readonly label: string;
  readonly pipeline: GPUComputePipeline;
  /** Binding numbers by their names in the WGSL. */
  readonly bindings: ReadonlyMap<string, number>;
}

export interface TextureView {
  readonly view: GPUTextureView;
}

/** What is bound to a name: a whole buffer, a window of it, or a texture. */
export type Resource = GPUBuffer | GPUBufferBinding | TextureView;

/** A resource as bind groups take it. */
export function bindingOf(resource: Resource): GPUBindingResource {
  if ('view' in resource) return resource.view;
  return 'buffer' in resource ? resource : { buffer: resource };
}

/** Kernels are compiled once per device, so engines on the same device share them. */
const compiled = new WeakMap<GPUDevice, Map<string, Promise<Kernel>>>();

/** Joins the modules as they are, since WGSL allows declarations in any order, and compiles them. */
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
    // A failure is not kept: the next call tries again.
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
  for (const match of code.matchAll(/@group\(0\)\s*@binding\((\d+)\)\s*var(?:<[^>]*>)?\s*(\w+)/g)) {
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
 * The resources that names are bound to, kept between queries. The generation grows with every change, so that the
 * owner of a bind group sees at once whether it is still current.
 */
export class Resources {
  readonly #parent: Resources | undefined;
  readonly #own = new Map<string, Resource>();
  #changes = 0;

  /** With a parent, names that are not set here are looked up in it. */
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

/** A kernel at one place in the flow of work. Its bind group is remade only if a resource was replaced. */
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

  /** Dispatches `groups` workgroups, but at least one and at most as many as a dispatch allows. */
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
      entries.push({ binding, resource: bindingOf(resource) });
    }
    return this.#device.createBindGroup({ label, layout: pipeline.getBindGroupLayout(0), entries });
  }
}

const mostGroups = 65535;
