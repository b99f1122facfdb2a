// Return values of kernels that can stop early: finished, an output is full, the budget is spent. kernels.ts has the
// same numbers.

export const jobDone: i32 = 0;
export const jobFull: i32 = 1;
export const jobPaused: i32 = 2;
/** Other threads have all that is left to do. */
export const jobIdle: i32 = 3;
