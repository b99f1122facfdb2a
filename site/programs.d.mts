/** Every block of TypeScript of the documents, as a module with a name. */
export function programBlocks(): { readonly name: string; readonly code: string }[];
/** What the compiler finds wrong with the programs of the documents, as lines. */
export function staleBlockLines(): Promise<string[]>;
/** What the compiler finds wrong with the programs in a folder of the repository: by default, the examples. */
export function staleExampleLines(examples?: string): Promise<string[]>;
