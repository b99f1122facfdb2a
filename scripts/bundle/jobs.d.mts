export function buildJobs(outfile: string): Promise<string[]>;
export function jobsIn(folder: string): string;
export default function setup(): Promise<void>;
