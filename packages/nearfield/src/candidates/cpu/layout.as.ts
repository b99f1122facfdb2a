// The memory layout of the broad phase's state, which is kept between questions. Offsets are in bytes.

import { treeHeaderBytes } from '../../bvh/cpu/build/layout.as';

export const broadBoxes: usize = 0;
export const broadBodyCount: usize = 4;
/** Per level, the list of node pairs to open (`levelListBytes`); and the current level. */
export const broadLists: usize = 8;
export const broadLevel: usize = 12;
/** Pairs of bodies, two words each, the lower one first. */
export const broadPairs: usize = 16;
export const broadPairCount: usize = 20;
export const broadPairCapacity: usize = 24;
/** The order of the bodies in the tree, one word per slot. */
export const broadOrder: usize = 28;
/** How many bodies have triangles; and for how many the order was made, 0 if there is none. */
export const broadUsedCount: usize = 32;
export const broadOrderCount: usize = 36;
/**
 * Node pairs opened: in this question; in the first question after the order was made; and the excess over that since.
 */
export const broadOpened: usize = 40;
export const broadFreshOpened: usize = 44;
export const broadExcess: usize = 48;
/** The number of nodes outside the frame when it was made; 0xffffffff before they are counted. */
export const broadOutside: usize = 52;
/** The tree's frame: its centre x, y, z and its scale, doubles. */
export const broadCentre: usize = 64;
export const broadScale: usize = 88;
export const broadTree: usize = 96;
export const broadBytes: usize = 96 + treeHeaderBytes;
