// The broad phase's state, which is kept between questions.

import { Tree, treeHeaderBytes } from '../../bvh/cpu/build/layout.as';

@unmanaged
export class Broad {
  boxes: usize;
  bodyCount: u32;
  /** Per level, the list of node pairs to open (`LevelList`); and the current level. */
  lists: usize;
  level: u32;
  /** Pairs of bodies, two words each, the lower one first. */
  pairs: usize;
  pairCount: u32;
  pairCapacity: u32;
  /** The order of the bodies in the tree, one word per slot. */
  order: usize;
  /** How many bodies have triangles; and for how many the order was made, 0 if there is none. */
  usedCount: u32;
  orderCount: u32;
  /**
   * Node pairs opened: in this question; in the first question after the order was made; and the excess over that
   * since.
   */
  opened: u32;
  freshOpened: u32;
  excess: u32;
  /** The number of nodes outside the frame when it was made; 0xffffffff before they are counted. */
  outside: u32;
  /** The tree's frame. x and y are read at once. */
  centreX: f64;
  centreY: f64;
  centreZ: f64;
  scale: f64;

  /** The address of three doubles. */
  get centre(): usize {
    return changetype<usize>(this) + offsetof<Broad>('centreX');
  }

  get tree(): Tree {
    return changetype<Tree>(changetype<usize>(this) + treeOffset);
  }
}

const treeOffset: usize = (offsetof<Broad>() + 15) & ~(<usize>15);
export const broadBytes: usize = treeOffset + treeHeaderBytes;
