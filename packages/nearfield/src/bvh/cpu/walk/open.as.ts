// Opens nodes: which boxes of one tree meet which boxes of another, by the six axes of "SAT lite" (Gress & Zachmann,
// CG-2004-2, appendix A), the face normals of both boxes. Boxes of one tree are transformed into the frame of the other
// and enlarged (frame.as.ts).

import { childMask, laneOf, Node, nodeAt, Tree } from '../build/layout.as';
import { mapBytes, moved, reach } from '../place/frame.as';
import { indexOf, levelOf } from './node-word.as';

/**
 * Which of a node's four boxes meet one box of the other tree. `here` maps the other tree's frame into the node's,
 * `there` the node's into the other's.
 */
export function openOne(node: Node, box: usize, here: usize, there: usize): u32 {
  const cx = v128.load32_splat(box);
  const cy = v128.load32_splat(box, 16);
  const cz = v128.load32_splat(box, 32);
  const hx = v128.load32_splat(box, 48);
  const hy = v128.load32_splat(box, 64);
  const hz = v128.load32_splat(box, 80);
  const nx = node.centreX;
  const ny = node.centreY;
  const nz = node.centreZ;
  const gx = node.halfX;
  const gy = node.halfY;
  const gz = node.halfZ;
  let outside = f32x4.gt(
    f32x4.abs(f32x4.sub(moved(here, 0, cx, cy, cz), nx)),
    f32x4.add(reach(here, 0, hx, hy, hz), gx),
  );
  outside = v128.or(
    outside,
    f32x4.gt(f32x4.abs(f32x4.sub(moved(here, 1, cx, cy, cz), ny)), f32x4.add(reach(here, 1, hx, hy, hz), gy)),
  );
  outside = v128.or(
    outside,
    f32x4.gt(f32x4.abs(f32x4.sub(moved(here, 2, cx, cy, cz), nz)), f32x4.add(reach(here, 2, hx, hy, hz), gz)),
  );
  outside = v128.or(
    outside,
    f32x4.gt(
      f32x4.abs(f32x4.sub(moved(there, 0, nx, ny, nz), cx)),
      f32x4.add(reach(there, 0, gx, gy, gz), hx),
    ),
  );
  outside = v128.or(
    outside,
    f32x4.gt(
      f32x4.abs(f32x4.sub(moved(there, 1, nx, ny, nz), cy)),
      f32x4.add(reach(there, 1, gx, gy, gz), hy),
    ),
  );
  outside = v128.or(
    outside,
    f32x4.gt(
      f32x4.abs(f32x4.sub(moved(there, 2, nx, ny, nz), cz)),
      f32x4.add(reach(there, 2, gx, gy, gz), hz),
    ),
  );
  return ~i32x4.bitmask(outside) & 15;
}

/**
 * Offsets in the scratch memory of `openBoth`: how promising the sixteen pairs are, and the sizes of A's and of B's
 * children.
 *
 * A pair is the more promising to contain triangles that meet, the nearer the boxes' centres are, along each axis of
 * A's frame as a fraction of how far apart they could be: the product of 1 − |c_A − c_B| / (h_A + h_B). This has the
 * same scale at every level, so pairs of large and of small boxes can be compared. With the volume of the overlap
 * instead, it took 2.5 times as many box tests to find the first pair of triangles (360 placements of a bunny, a bumpy
 * sphere and a torus).
 */
export const promisesOfPairs: usize = 96;
export const sizesOfA: usize = 176;
export const sizesOfB: usize = 192;

/**
 * Which of the four children of a node of A meet which of the four children of a node of B, both in A's frame and in
 * B's: bit 4i + j. Computes promises only if `measured`. Nodes are as in node-word.as.ts.
 */
export function openBoth(
  treeA: Tree,
  treeB: Tree,
  nodeA: u32,
  nodeB: u32,
  frame: usize,
  scratch: usize,
  measured: bool,
): u32 {
  const levelA = levelOf(nodeA);
  const levelB = levelOf(nodeB);
  const indexA = indexOf(nodeA);
  const indexB = indexOf(nodeB);
  const a = nodeAt(treeA, levelA, indexA);
  const b = nodeAt(treeB, levelB, indexB);
  const acx = a.centreX;
  const acy = a.centreY;
  const acz = a.centreZ;
  const ahx = a.halfX;
  const ahy = a.halfY;
  const ahz = a.halfZ;
  const movedA = changetype<Node>(scratch);
  movedA.centreX = moved(frame + mapBytes, 0, acx, acy, acz);
  movedA.centreY = moved(frame + mapBytes, 1, acx, acy, acz);
  movedA.centreZ = moved(frame + mapBytes, 2, acx, acy, acz);
  movedA.halfX = reach(frame + mapBytes, 0, ahx, ahy, ahz);
  movedA.halfY = reach(frame + mapBytes, 1, ahx, ahy, ahz);
  movedA.halfZ = reach(frame + mapBytes, 2, ahx, ahy, ahz);
  const bcx = b.centreX;
  const bcy = b.centreY;
  const bcz = b.centreZ;
  const bhx = b.halfX;
  const bhy = b.halfY;
  const bhz = b.halfZ;
  const cx = moved(frame, 0, bcx, bcy, bcz);
  const cy = moved(frame, 1, bcx, bcy, bcz);
  const cz = moved(frame, 2, bcx, bcy, bcz);
  const hx = reach(frame, 0, bhx, bhy, bhz);
  const hy = reach(frame, 1, bhx, bhy, bhz);
  const hz = reach(frame, 2, bhx, bhy, bhz);
  const maskB = childMask(treeB, levelB, indexB);
  let pairs: u32 = 0;
  for (let i: u32 = 0; i < 4; i++) {
    const own = laneOf(a, i);
    const other = laneOf(movedA, i);
    const outside = v128.or(
      v128.or(
        v128.or(
          f32x4.gt(
            f32x4.abs(f32x4.sub(cx, v128.load32_splat(own))),
            f32x4.add(hx, v128.load32_splat(own, 48)),
          ),
          f32x4.gt(
            f32x4.abs(f32x4.sub(cy, v128.load32_splat(own, 16))),
            f32x4.add(hy, v128.load32_splat(own, 64)),
          ),
        ),
        v128.or(
          f32x4.gt(
            f32x4.abs(f32x4.sub(cz, v128.load32_splat(own, 32))),
            f32x4.add(hz, v128.load32_splat(own, 80)),
          ),
          f32x4.gt(
            f32x4.abs(f32x4.sub(bcx, v128.load32_splat(other))),
            f32x4.add(bhx, v128.load32_splat(other, 48)),
          ),
        ),
      ),
      v128.or(
        f32x4.gt(
          f32x4.abs(f32x4.sub(bcy, v128.load32_splat(other, 16))),
          f32x4.add(bhy, v128.load32_splat(other, 64)),
        ),
        f32x4.gt(
          f32x4.abs(f32x4.sub(bcz, v128.load32_splat(other, 32))),
          f32x4.add(bhz, v128.load32_splat(other, 80)),
        ),
      ),
    );
    pairs |= (~i32x4.bitmask(outside) & maskB) << (i << 2);
  }
  const maskA = childMask(treeA, levelA, indexA);
  if (maskA !== 15) pairs &= (1 << (popcnt(maskA) << 2)) - 1;
  if (pairs === 0) return 0;
  const sizesA = f32x4.add(f32x4.add(ahx, ahy), ahz);
  const sizesB = f32x4.add(f32x4.add(hx, hy), hz);
  v128.store(scratch, sizesA, sizesOfA);
  v128.store(scratch, sizesB, sizesOfB);
  if (measured) {
    for (let i: u32 = 0; i < 4; i++) {
      const own = laneOf(a, i);
      const sx = f32x4.add(hx, v128.load32_splat(own, 48));
      const sy = f32x4.add(hy, v128.load32_splat(own, 64));
      const sz = f32x4.add(hz, v128.load32_splat(own, 80));
      const dx = f32x4.div(f32x4.sub(sx, f32x4.abs(f32x4.sub(cx, v128.load32_splat(own)))), sx);
      const dy = f32x4.div(f32x4.sub(sy, f32x4.abs(f32x4.sub(cy, v128.load32_splat(own, 16)))), sy);
      const dz = f32x4.div(f32x4.sub(sz, f32x4.abs(f32x4.sub(cz, v128.load32_splat(own, 32)))), sz);
      v128.store(scratch + ((<usize>i) << 4), f32x4.mul(f32x4.mul(dx, dy), dz), promisesOfPairs);
    }
  }
  return pairs;
}
