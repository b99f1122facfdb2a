// A thread for a package that reads IFC or STEP: a file that makes it hang or fill memory ends that thread alone.

export const foreignThread = (): Worker =>
  new Worker(new URL('./foreign-worker.ts', import.meta.url), { type: 'module', name: 'reader' });
