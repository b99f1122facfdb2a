/** Every block of TypeScript of the documents, as a module with a name. */
export function programBlocks(): { readonly name: string; readonly code: string }[];
/** What the compiler finds wrong with the programs of the documents, as lines. */
export function staleBlockLines(): Promise<string[]>;
/** What the compiler finds wrong with the examples, and with the programs in other folders of the repository. */
export function staleExampleLines(...more: string[]): Promise<string[]>;
