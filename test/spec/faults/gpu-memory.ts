// What is allocated on a device and not destroyed, for tests that look for leaks.

/** Watches a device until `restore`; `left` lists the labels of all buffers, textures and query sets not destroyed since. */
export function watchMemory(device: GPUDevice): { left(): string[]; restore(): void } {
  const alive = new Map<object, string>();
  const watched = device as unknown as Record<
    string,
    (given: GPUObjectDescriptorBase) => { destroy(): void }
  >;
  const names = ['createBuffer', 'createTexture', 'createQuerySet'];
  for (const name of names) {
    const create = watched[name];
    watched[name] = given => {
      const made = create.call(device, given);
      const { destroy } = made;
      alive.set(made, `${name}: ${given.label}`);
      made.destroy = () => {
        alive.delete(made);
        destroy.call(made);
      };
      return made;
    };
  }
  return {
    left: () => [...alive.values()],
    restore() {
      for (const name of names) delete watched[name];
    },
  };
}
