// What a kernel that can stop returns (kernels.ts has the same numbers): finished, an output is too small, the budget is spent.

export const jobDone: i32 = 0;
export const jobFull: i32 = 1;
export const jobPaused: i32 = 2;
