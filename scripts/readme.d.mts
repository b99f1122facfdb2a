export function withTimes(text: string): string;
export function librarySize(): Promise<{ minified: number; compressed: number }>;
export function statedSize(): { minified: number; compressed: number };
