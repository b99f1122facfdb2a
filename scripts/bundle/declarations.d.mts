/** Leaves in a folder of declarations what some modules in it export, and what that mentions. Paths are without `.d.ts`. */
export function pruneDeclarations(folder: string, entries: readonly string[]): void;
/** Gives functions whose comment only names a method of a scene the comment of that method. */
export function documentQuestions(folder: string, classes: readonly string[]): void;
/** The statements of a declaration file, each with the comment before it. */
export function splitStatements(text: string): string[];
