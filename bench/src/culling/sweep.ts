// How many pairs of bodies sweep and prune leaves (Cohen et al., I-COLLIDE, which Govindaraju, Lin and Manocha
// compare with): those whose axis-aligned boxes meet, each fitted tightly to the body's vertices.

export interface Boxed {
  readonly positions: ArrayLike<number>;
  /** Column-major 4×4. */
  readonly pose: ArrayLike<number>;
}

export function pairsOfBoxes(bodies: readonly Boxed[]): number {
  const boxes = bodies.filter(({ positions }) => positions.length > 0).map(boxOf);
  boxes.sort((a, b) => a[0] - b[0]);
  let pairs = 0;
  boxes.forEach((box, i) => {
    for (let k = i + 1; k < boxes.length && boxes[k][0] <= box[3]; k++) {
      const other = boxes[k];
      if (box[1] <= other[4] && other[1] <= box[4] && box[2] <= other[5] && other[2] <= box[5]) pairs++;
    }
  });
  return pairs;
}

/** Least and greatest coordinates. */
function boxOf({ positions, pose }: Boxed): Float64Array {
  const box = new Float64Array(6).fill(Infinity, 0, 3).fill(-Infinity, 3);
  for (let i = 0; i < positions.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const linear =
        pose[axis] * positions[i] + pose[4 + axis] * positions[i + 1] + pose[8 + axis] * positions[i + 2];
      const place = linear + pose[12 + axis];
      if (place < box[axis]) box[axis] = place;
      if (place > box[3 + axis]) box[3 + axis] = place;
    }
  }
  return box;
}
