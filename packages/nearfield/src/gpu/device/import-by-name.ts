// Imports what exists in Node only. The name reaches `import` as an argument, so that bundlers for web pages do not try to resolve it.

export const importByName = <Module>(name: string): Promise<Module> => import(/* @vite-ignore */ name);
