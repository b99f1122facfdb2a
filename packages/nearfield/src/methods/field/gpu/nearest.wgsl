// The triangle of a layer nearest to a sample: a walk down its tree with a bound, the nearer child first.
//
// Boxes are in the tree's frame. The sample's place q there is off by at most
//   noise' = 2^-20·max_row(|inverse|·|relative|) (eight roundings of 2^-23, the inverse's own included),
// and a vector of the frame is in units no shorter than leastScale times its length, so a box at a distance d from q holds
// nothing nearer than leastScale·(d − √3·noise') − 2·noise units: it is passed over where d exceeds
//   best·mostShrink·(1 + 2^-18) + 1.8·noise' + 4·noise·mostShrink.

struct Nearest {
  /** In units: the square of the distance, and the way to the nearest point. */
  squared: f32,
  toward: vec3f,
  /** First triangle of the layer among those of all, plus the triangle; `nothing` where there is none. */
  owner: u32,
  feature: u32,
}

const nothing = 0xffffffffu;

/** Where a sample lies in the tree's frame, and what is added to distances there. */
struct PlaceInTree {
  q: vec3f,
  slack: f32,
}

fn placeInTree(layer: u32, place: vec3i) -> PlaceInTree {
  let relative = vec3f(place - layers[layer].offset.xyz) - layers[layer].rest.xyz;
  let x = layers[layer].inverse[0].xyz;
  let y = layers[layer].inverse[1].xyz;
  let z = layers[layer].inverse[2].xyz;
  let q = vec3f(dot(x, relative), dot(y, relative), dot(z, relative));
  let size = abs(relative);
  let blur = 0x1p-20 * max(max(dot(abs(x), size), dot(abs(y), size)), dot(abs(z), size));
  return PlaceInTree(q, 1.8 * blur + 4.0 * layers[layer].rest.w * layers[layer].mostShrink);
}

/** The walk (nearer-first.wgsl): of which layer, for which sample and where that lies in the tree, and what is known. */
var<private> walkLayer: u32;
var<private> walkPlace: vec3i;
var<private> walkSpot: PlaceInTree;
var<private> walkBest: Nearest;

/** The nearer of what is known and what the layer has. */
fn nearestOnLayer(layer: u32, place: vec3i, known: Nearest) -> Nearest {
  if (layers[layer].leafCount == 0u) { return known; }
  walkLayer = layer;
  walkPlace = place;
  walkSpot = placeInTree(layer, place);
  walkBest = known;
  walkNearerFirst(layers[layer].depth, layers[layer].leafCount);
  return walkBest;
}

/** Squared, as the limit is. */
fn nodeDistance(node: u32) -> f32 {
  return boxSquared(layers[walkLayer].nodeOffset + node, walkSpot.q);
}

fn reachLeaf(leaf: u32) {
  walkBest = tryLeaf(walkLayer, leaf, walkPlace, walkBest);
}

fn nearEnough() -> f32 {
  return limitOf(walkBest.squared, layers[walkLayer].mostShrink, walkSpot.slack);
}

fn limitOf(squared: f32, shrink: f32, slack: f32) -> f32 {
  let reach = sqrt(squared) * shrink * (1.0 + 0x1p-18) + slack;
  return min(reach * reach, 0x1p99);
}

fn boxSquared(node: u32, q: vec3f) -> f32 {
  let away = max(max(nodes[2u * node].xyz - q, q - nodes[2u * node + 1u].xyz), vec3f(0.0));
  return dot(away, away);
}

/** Of equally near triangles the first is kept, whatever the order of the walk. */
fn tryLeaf(layer: u32, leaf: u32, place: vec3i, best: Nearest) -> Nearest {
  let at = layers[layer].leafOffset + leaf;
  let a = vec3f(vertexInUnits(layer, leaves[3u * at].xyz) - place);
  let b = vec3f(vertexInUnits(layer, leaves[3u * at + 1u].xyz) - place);
  let c = vec3f(vertexInUnits(layer, leaves[3u * at + 2u].xyz) - place);
  let found = nearestOnTriangle(a, b, c);
  let squared = dot(found.point, found.point);
  let owner = layers[layer].first + order[at];
  if (squared < best.squared || (squared == best.squared && owner < best.owner)) {
    return Nearest(squared, found.point, owner, found.feature);
  }
  return best;
}
