export interface Program {
  readonly code: string;
  readonly most?: number;
  readonly isComplete?: boolean;
}
export const programs: Readonly<Record<string, Program>>;
export function sizeOf(program: Program): Promise<{ minified: number; compressed: number }>;
