// Sorts few keys in one dispatch of one workgroup: a key's place is the number of keys before it.

@group(0) @binding(0) var<uniform> sortPass: SortPass;
/** A key and its value. */
@group(0) @binding(1) var<storage, read_write> pairsIn: array<vec2u>;

var<workgroup> unsorted: array<vec2u, mostFew>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32) {
  for (var i = thread; i < sortPass.count; i += 256u) { unsorted[i] = pairsIn[i]; }
  workgroupBarrier();
  for (var i = thread; i < sortPass.count; i += 256u) {
    let own = unsorted[i];
    var place = 0u;
    for (var k = 0u; k < sortPass.count; k++) {
      let key = unsorted[k].x;
      // Equal keys keep their order.
      place += select(0u, 1u, key < own.x || (key == own.x && k < i));
    }
    pairsIn[place] = own;
  }
}
