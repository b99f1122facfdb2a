// Boxes of many triangles, to skip pairs that one coordinate separates.

/** Per triangle (nine numbers), the smallest coordinates, then the greatest. */
export function endsOf(world: Float64Array): Float64Array {
  const ends = new Float64Array((world.length / 9) * 6);
  for (let i = 0, at = 0; i < world.length; i += 9, at += 6) {
    for (let k = 0; k < 3; k++) {
      ends[at + k] = Math.min(world[i + k], world[i + 3 + k], world[i + 6 + k]);
      ends[at + 3 + k] = Math.max(world[i + k], world[i + 3 + k], world[i + 6 + k]);
    }
  }
  return ends;
}

/** Whether one coordinate separates two triangles whose ends begin at a[i] and b[j]. */
export function areApart(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) if (a[i + k] > b[j + 3 + k] || b[j + k] > a[i + 3 + k]) return true;
  return false;
}
