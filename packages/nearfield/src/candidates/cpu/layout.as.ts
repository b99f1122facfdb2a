// Where the broad phase keeps what it knows, from one question to the next. Offsets are in bytes.

import { treeHeaderBytes } from '../../bvh/cpu/build/layout.as';

export const broadBoxes: usize = 0;
export const broadBodyCount: usize = 4;
/** Pairs of nodes of each level that wait to be opened (`levelListBytes`), and the level that is at work. */
export const broadLists: usize = 8;
export const broadLevel: usize = 12;
/** Pairs of body indices, two words each, the lower first. */
export const broadPairs: usize = 16;
export const broadPairCount: usize = 20;
export const broadPairCapacity: usize = 24;
/** Order of the bodies in the tree, one word a slot. */
export const broadOrder: usize = 28;
/** How many bodies have triangles; how many the order is of, 0 for none. */
export const broadUsedCount: usize = 32;
export const broadOrderCount: usize = 36;
/** Pairs of nodes opened: in this question, in the first one after the order was made, in excess of that since. */
export const broadOpened: usize = 40;
export const broadFreshOpened: usize = 44;
export const broadExcess: usize = 48;
/** Nodes with bodies outside the frame when it was made; 0xffffffff before they were counted. */
export const broadOutside: usize = 52;
/** The tree's frame: its centre x, y, z and its scale, doubles. */
export const broadCentre: usize = 64;
export const broadScale: usize = 88;
export const broadTree: usize = 96;
export const broadBytes: usize = 96 + treeHeaderBytes;
