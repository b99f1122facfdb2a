// Puts the list of a pixel in order, in place: a merge sort of linked lists from the bottom up, which takes n·log₂ n
// comparisons for n fragments and no memory. For kernels in which one thread owns a pixel. They declare
//   var<storage, read_write> heads: array<u32>,  var<storage, read_write> fragments: array<vec4u>.
// Afterwards `firstOf` and `nextOf` (lists.wgsl) go from front to back. Lists stay sorted for later kernels.

/** Returns how often a fragment was moved: n·⌈log₂ n⌉, whatever the order was. Each takes at most one comparison. */
fn sortList(pixel: u32) -> u32 {
  // Links are slots plus 1, and 0 at the end, as stored.
  var list = heads[pixel];
  var steps = 0u;
  // Runs of `length` fragments are sorted; pairs of neighbouring runs are merged.
  for (var length = 1u; ; length *= 2u) {
    var first = list;
    var tail = 0u;
    var merges = 0u;
    while (first != 0u) {
      merges++;
      var second = first;
      var firstLeft = 0u;
      while (firstLeft < length && second != 0u) {
        firstLeft++;
        second = fragments[second - 1u].x;
      }
      var secondLeft = length;
      while (firstLeft > 0u || (secondLeft > 0u && second != 0u)) {
        var takesFirst = firstLeft > 0u;
        if (takesFirst && secondLeft > 0u && second != 0u) {
          takesFirst = !comesBefore(fragments[second - 1u], fragments[first - 1u]);
        }
        steps++;
        let taken = select(second, first, takesFirst);
        if (takesFirst) {
          first = fragments[first - 1u].x;
          firstLeft--;
        } else {
          second = fragments[second - 1u].x;
          secondLeft--;
        }
        if (tail == 0u) { list = taken; } else { fragments[tail - 1u].x = taken; }
        tail = taken;
      }
      first = second;
    }
    if (tail != 0u) { fragments[tail - 1u].x = 0u; }
    if (merges <= 1u) { break; }
  }
  heads[pixel] = list;
  return steps;
}
