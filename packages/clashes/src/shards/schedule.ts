// How long do tiles take with so many workers? Each worker takes the largest tile that is left, as the queue gives them out.

/** The time until the last tile is done, in the unit of the costs. */
export function makespan(costs: readonly number[], workers: number): number {
  const free = new Float64Array(workers);
  for (const cost of [...costs].sort((p, q) => q - p)) {
    let first = 0;
    for (let i = 1; i < workers; i++) if (free[i] < free[first]) first = i;
    free[first] += cost;
  }
  return free.reduce((p, q) => Math.max(p, q), 0);
}
