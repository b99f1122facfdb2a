// The size of a job's leaf cache (leaves.as.ts), which has the last leaves of either body.

export const keptBytes: usize = 768;
export const keptCount: u32 = 32;
export const leafCacheBytes: usize = 2 * <usize>keptCount * keptBytes;
