export interface Program {
  readonly code: string;
  readonly most?: number;
  readonly loaded?: readonly string[] | 'all';
}
export const programs: Readonly<Record<string, Program>>;
export const openedPrograms: Readonly<Record<string, Program>>;
export function sizeOf(program: Program): Promise<{ minified: number; compressed: number }>;
