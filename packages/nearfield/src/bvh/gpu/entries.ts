// The record kept for every shape on the GPU: where its parts lie in the pools, its local frame, and whether the frame
// was confirmed. If the bounds are known, or the shape is small, they determine the frame. For large shapes, and for
// positions that are only on the GPU, the frame is a guess that the root box confirms or corrects.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { NearfieldError } from '../../core/errors.ts';
import { RangeAllocator } from '../../gpu/buffers/buffers.ts';
import type { Box } from '../../math/box.ts';
import { boundsKnown, boundsOf, usesEveryVertex } from '../../mesh/facts.ts';
import { boundsOfVertices } from '../../mesh/vertices.ts';
import { boxOfRoot, fitOf, frameHolds, type LocalFrame, localFrame, sampleBounds } from './build/local.ts';
import { nodeSlots, storedSlots } from './layouts.ts';

export interface Entry {
  readonly shape: Shape;
  readonly index: number;
  readonly leafCount: number;
  readonly vertexCount: number;
  /** Its nodes, and how many are reserved: those of a tree, or fewer if it never had one. */
  nodeOffset: number;
  nodeCount: number;
  readonly leafOffset: number;
  readonly cornerOffset: number;
  /** −1 until the shape is welded. */
  weldOffset: number;
  /** The offset of the positions, and how many words are reserved for them. */
  wordOffset: number;
  wordCount: number;
  /** Words per vertex there, and whether they are doubles. */
  stride: number;
  doubles: boolean;
  frame: LocalFrame;
  /** Box of the revision that was checked last. The next frame is chosen from it. */
  box: Box | undefined;
  /** The revision that was uploaded; −1 at first. */
  revision: number;
  /** The last preparation that asked for it. */
  asked: number;
  /** The positions that were uploaded to `wordOffset`, and whether the indices were uploaded to `cornerOffset`. */
  uploaded: object | undefined;
  indicesUploaded: boolean;
  /** Whether its tree is built. Otherwise its leaves are in the order of its mesh, and only its box is known. */
  built: boolean;
  /** Whether the upload must still be stored, gathered and reduced. */
  stale: boolean;
  /** Whether the result was checked: the frame holds, and nothing is wrong with the positions. */
  settled: boolean;
  /** Whether the revision already had a frame that proved too large for it. */
  tightened: boolean;
  /** Whether the order of its leaves was computed from vertices that fitted their frame. */
  ordered: boolean;
  /** `builds` of the shape when its leaves were last sorted. */
  builds: number;
  refits: number;
  /** Boxes that a walk of the shape against itself tested when its order was new; 0 until there was such a walk. */
  testsWhenNew: number;
  /** Whether leaves have the same number for all vertices of equal position, as long as those stay equal. */
  welded: boolean;
  weldsHold: boolean;
  weldsUploaded: boolean;
  /** The contents of its record on the GPU when last written; no frame until there is one. */
  recordFrame: LocalFrame | undefined;
  recordNodeOffset: number;
  recordWordOffset: number;
  recordStride: number;
  recordOnGpu: boolean;
  /** Whether every vertex belongs to a triangle; undefined until needed. */
  everyVertex: boolean | undefined;
}

/** Up to this many vertices, bounds are taken from all of them; beyond it, from a sample of this size. */
const sampled = 4096;
/**
 * The same for later revisions. Their frame is usually that of the previous one, and checking on the GPU is cheaper.
 */
const tiny = 256;
/** The factor for what a sample may have missed, and how much a revision may grow before everything is run again. */
const sampleRoom = 1.1;
const revisionRoom = 1.25;
/** The frame of an entry whose positions were not checked yet. */
const anyFrame = localFrame(new Float64Array(6));

export class Entries {
  readonly #entries = new Map<Shape, Entry>();
  /** Elements of the pools that shapes have taken. */
  readonly shapes = new RangeAllocator();
  readonly nodes = new RangeAllocator();
  readonly leaves = new RangeAllocator();
  readonly welds = new RangeAllocator();
  readonly words = new RangeAllocator();
  /** The maximum number of leaves of any tree so far. */
  mostLeaves = 0;
  /** Grows whenever an entry is created, removed or gets another frame. */
  changes = 0;

  get(shape: Shape): Entry | undefined {
    return this.#entries.get(shape);
  }

  add(shape: Shape): Entry {
    const leafCount = shape.mesh.triangleCount;
    const vertexCount = shape.mesh.vertexCount;
    const leafOffset = this.leaves.take(leafCount);
    const entry: Entry = {
      shape,
      index: this.shapes.take(1),
      leafCount,
      vertexCount,
      nodeOffset: 0,
      nodeCount: 0,
      leafOffset,
      cornerOffset: 3 * leafOffset,
      weldOffset: -1,
      wordOffset: 0,
      wordCount: 0,
      stride: 3,
      doubles: false,
      frame: anyFrame,
      box: undefined,
      revision: -1,
      asked: 0,
      uploaded: undefined,
      indicesUploaded: false,
      built: false,
      stale: true,
      settled: false,
      tightened: false,
      ordered: false,
      builds: 0,
      refits: 0,
      testsWhenNew: 0,
      welded: false,
      weldsHold: true,
      weldsUploaded: false,
      recordFrame: undefined,
      recordNodeOffset: 0,
      recordWordOffset: 0,
      recordStride: 0,
      recordOnGpu: false,
      everyVertex: undefined,
    };
    this.mostLeaves = Math.max(this.mostLeaves, leafCount);
    this.#entries.set(shape, entry);
    this.changes++;
    return entry;
  }

  /** Takes in a revision that will be uploaded: reserves room for its positions, and chooses a frame for them. */
  revise(entry: Entry): void {
    const { shape, vertexCount, frame } = entry;
    entry.doubles = shape.onGpu === undefined && shape.positions instanceof Float64Array;
    entry.stride = shape.onGpu?.copy.stride ?? (entry.doubles ? 6 : 3);
    const wordCount = entry.stride * vertexCount;
    if (wordCount > entry.wordCount) {
      this.words.give(entry.wordOffset, entry.wordCount);
      entry.wordOffset = this.words.take(wordCount);
      entry.wordCount = wordCount;
      entry.uploaded = undefined;
    }
    entry.stale = true;
    entry.weldsHold = true;
    entry.settled = false;
    entry.tightened = false;
    const box = this.#boxKnown(entry);
    if (box !== undefined) {
      if (entry.revision < 0 || !frameHolds(entry.frame, box)) entry.frame = localFrame(box);
      entry.settled = true;
    } else if (entry.revision < 0) {
      entry.frame = localFrame(this.#guess(shape), shape.onGpu ? revisionRoom : sampleRoom);
    } else if (entry.box !== undefined && !frameHolds(entry.frame, entry.box, 0.9)) {
      entry.frame = localFrame(entry.box, revisionRoom);
    }
    if (entry.frame !== frame) this.changes++;
    entry.revision = shape.revision;
  }

  /** Reserves the nodes of a tree, or of a shape without one, unless it has as many. */
  reserveNodes(entry: Entry, treeless: boolean): void {
    const { leafCount } = entry;
    const needed = treeless ? storedSlots(leafCount) : nodeSlots(leafCount);
    if (needed <= entry.nodeCount) return;
    this.nodes.give(entry.nodeOffset, entry.nodeCount);
    entry.nodeOffset = this.nodes.take(needed);
    entry.nodeCount = needed;
  }

  /** Makes its leaves carry one number for all vertices of equal position. */
  weld(entry: Entry): void {
    entry.weldOffset = this.welds.take(entry.vertexCount);
    entry.welded = true;
    entry.stale = true;
    if (entry.shape.onGpu !== undefined) entry.settled = false;
  }

  /**
   * Checks the result of an entry: its root box, and the faults of positions that were unchecked. Returns false if the
   * entry must be stored again, in another frame or without its welds.
   */
  settle(entry: Entry, root: Float32Array, faults: Uint32Array | undefined): boolean {
    const { shape, frame } = entry;
    if (faults !== undefined && faults[0] !== 0) {
      const vertex = 0xffffffff - faults[0];
      const message = `${shape.onGpu!.owner}: vertex ${vertex} of the buffer it was deformed by is not finite`;
      throw new NearfieldError('not-finite', message);
    }
    if (faults !== undefined && faults[1] !== 0) {
      entry.weldsHold = false;
      entry.stale = true;
    }
    if (entry.leafCount > 0) this.#fitFrame(entry, fitOf(root), root, faults);
    if (entry.frame !== frame) {
      entry.stale = true;
      this.changes++;
    }
    entry.settled = !entry.stale;
    return entry.settled;
  }

  forget(shape: Shape): void {
    const entry = this.#entries.get(shape);
    if (entry === undefined) return;
    this.#entries.delete(shape);
    this.changes++;
    this.shapes.give(entry.index, 1);
    this.nodes.give(entry.nodeOffset, entry.nodeCount);
    this.leaves.give(entry.leafOffset, entry.leafCount);
    if (entry.weldOffset >= 0) this.welds.give(entry.weldOffset, entry.vertexCount);
    this.words.give(entry.wordOffset, entry.wordCount);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The box that a revision's frame must hold, if it is known or quickly found. */
  #boxKnown(entry: Entry): Box | undefined {
    const { shape, vertexCount, frame, revision } = entry;
    const { extent, positions, mesh } = shape;
    if (shape.onGpu !== undefined) return undefined;
    if (extent !== undefined) {
      entry.everyVertex ??= usesEveryVertex(mesh.indices, vertexCount);
      if (entry.everyVertex) return extent;
    }
    if (revision < 0) {
      const known = boundsKnown(positions, mesh.indices);
      if (known !== undefined) return known;
    }
    if (vertexCount > (revision < 0 ? sampled : tiny)) return undefined;
    // Vertices that no triangle uses are rarely a problem.
    const all = revision < 0 ? undefined : (extent ?? boundsOfVertices(positions));
    return all !== undefined && frameHolds(frame, all) ? all : boundsOf(positions, mesh.indices);
  }

  #guess({ onGpu, mesh, positions }: Shape): Box {
    return sampleBounds(onGpu === undefined ? positions : mesh.positions, sampled);
  }

  /** Takes the box of a tree. If the frame is too small for it, takes a larger frame. */
  #fitFrame(
    entry: Entry,
    fit: ReturnType<typeof fitOf>,
    root: Float32Array,
    faults: Uint32Array | undefined,
  ): void {
    const { shape, frame } = entry;
    if (fit === 'too-small') {
      // Beyond twice the frame only the largest coordinate is known. A frame for that coordinate shows the box.
      const far = faults === undefined ? 0 : floatOf(faults[2]);
      const known = far === 0 ? boxOfRoot(frame, root) : new Float64Array([-far, -far, -far, far, far, far]);
      entry.frame =
        shape.onGpu === undefined
          ? localFrame(boundsOf(shape.positions, shape.mesh.indices))
          : localFrame(known, revisionRoom);
      return;
    }
    entry.box = boxOfRoot(frame, root);
    entry.ordered = true;
    if (fit === 'holds') return;
    // Beside a far vertex that no triangle uses, all others may round to nothing, and a frame for the resulting box is
    // too small. The second time, the frame allows for what was rounded off.
    const known = entry.tightened ? widened(entry.box, 2 ** (frame.exponent - 28)) : entry.box;
    const tighter =
      shape.onGpu === undefined
        ? localFrame(boundsOf(shape.positions, shape.mesh.indices))
        : localFrame(known, revisionRoom);
    entry.tightened = true;
    if (tighter.exponent < frame.exponent) entry.frame = tighter;
  }
}

const widened = (box: Box, by: number): Box => box.map((at, i) => (i < 3 ? at - by : at + by));

const floatOf = (bits: number): number => new Float32Array(new Uint32Array([bits]).buffer)[0];
