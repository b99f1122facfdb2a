export function shortenKernel(text: string): string;
