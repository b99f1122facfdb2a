export function buildJobs(outfile: string): Promise<void>;
export function jobsIn(folder: string): string;
export default function setup(): Promise<void>;
