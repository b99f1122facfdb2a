// How does a page give packages their WebAssembly?

/** Provides the WebAssembly of a package, named by its path: `web-ifc/web-ifc.wasm`. */
export type FetchWasm = (path: string) => Promise<ArrayBuffer>;
