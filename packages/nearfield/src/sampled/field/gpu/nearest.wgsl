// Finds the triangle of a layer nearest to a sample: a traversal of its tree with a bound, the nearer child first.
// tree-place.wgsl has the distances of boxes.

struct Nearest {
  /** In units: the squared distance, and the vector to the nearest point. */
  squared: f32,
  toward: vec3f,
  /** The layer's first triangle among those of all, plus the triangle; `nothing` if there is none. */
  owner: u32,
  feature: u32,
}

const nothing = 0xffffffffu;

/** The state of the traversal (nearer-first.wgsl): the layer, the sample, its place in the tree, and the best known. */
var<private> walkLayer: u32;
var<private> walkPlace: vec3i;
var<private> walkSpot: PlaceInTree;
var<private> walkBest: Nearest;

/** The nearer of `known` and the layer's nearest. */
fn nearestOnLayer(layer: u32, place: vec3i, known: Nearest) -> Nearest {
  if (layers[layer].leafCount == 0u) { return known; }
  walkLayer = layer;
  walkPlace = place;
  walkSpot = placeInTree(layer, place);
  walkBest = known;
  walkNearerFirst(layers[layer].depth, layers[layer].leafCount);
  return walkBest;
}

/** The squared distance to a node's box; the limit is squared, too. */
fn nodeDistance(node: u32) -> f32 {
  return boxSquared(layers[walkLayer].nodeOffset + node, walkSpot.q);
}

fn reachLeaf(leaf: u32) {
  walkBest = tryLeaf(walkLayer, leaf, walkPlace, walkBest);
}

fn nearEnough() -> f32 {
  return limitOf(walkBest.squared, layers[walkLayer].mostShrink, walkSpot.slack);
}

/** Among equally near triangles the first is kept, whatever the order of the traversal. */
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
