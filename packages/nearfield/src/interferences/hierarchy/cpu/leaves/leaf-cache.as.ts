// How much a job keeps of leaves (leaves.as.ts): that of the last ones of either body.

export const keptBytes: usize = 768;
export const keptCount: u32 = 32;
export const leafCacheBytes: usize = 2 * <usize>keptCount * keptBytes;
