// The boxes of up to ten levels above 1,024 neighbouring nodes of one level, by one workgroup of 256. Levels of one workgroup
// are ordered by barriers, those of different workgroups by dispatches: no atomics, which would order nothing here.

/** What lies at the lowest of these levels: a thread has four nodes of it, as far as they exist. */
const perChunk = 1024u;
const nothing = 0x1p100;

struct NodeBox {
  low: vec3f,
  high: vec3f,
}

/** Two places in turn, so that what is read is not written before all have read it. */
var<workgroup> lows: array<vec3f, 384>;
var<workgroup> highs: array<vec3f, 384>;

fn noBox() -> NodeBox {
  return NodeBox(vec3f(nothing), vec3f(-nothing));
}

fn around(a: NodeBox, b: NodeBox) -> NodeBox {
  return NodeBox(min(a.low, b.low), max(a.high, b.high));
}

fn writeNode(number: u32, box: NodeBox) {
  nodes[2u * number] = vec4f(box.low, 0.0);
  nodes[2u * number + 1u] = vec4f(box.high, 0.0);
}

/** From the boxes around a thread's first two nodes and its last two, upward. Call in uniform control flow. */
fn reduceChunk(thread: u32, nodeOffset: u32, lowest: u32, lowestCount: u32, chunk: u32, left: NodeBox, right: NodeBox) {
  var level = lowest;
  var count = lowestCount;
  if (level > 0u) {
    level--;
    count = (count + 1u) / 2u;
    let index = chunk * 512u + 2u * thread;
    let node = nodeOffset + (1u << level) + index;
    if (index < count) { writeNode(node, left); }
    if (index + 1u < count) { writeNode(node + 1u, right); }
  }
  var box = around(left, right);
  var slot = 0u;
  for (var remaining = 256u; remaining > 0u && level > 0u; remaining /= 2u) {
    // The box is that of a node of the level above, for the lower `remaining` threads.
    level--;
    count = (count + 1u) / 2u;
    let index = chunk * remaining + thread;
    if (thread < remaining) {
      if (index < count) { writeNode(nodeOffset + (1u << level) + index, box); }
      lows[slot + thread] = box.low;
      highs[slot + thread] = box.high;
    }
    workgroupBarrier();
    if (thread < remaining / 2u) {
      let at = slot + 2u * thread;
      box = around(NodeBox(lows[at], highs[at]), NodeBox(lows[at + 1u], highs[at + 1u]));
    }
    slot = 256u - slot;
  }
  workgroupBarrier();
}
