export function withTimes(text: string): string;
export function statedSizes(): Readonly<Record<string, number>>;
