// A mesh's triangles along a path. The path is cut into pieces of time, and each piece's box is tested against the tree
// of the mesh's triangles. A triangle is a plane with three edges, all given as distances.

/** How many pieces a path is cut into: with more, each bends and turns less, but costs a walk. */
const meshPieces = 8u;

/** The state of the search in a mesh. */
struct MeshWalk {
  piece: u32,
  node: u32,
  level: u32,
  depth: u32,
  /** The current piece: its time, and its box in own coordinates. */
  begin: f32,
  step: f32,
  low: vec3f,
  high: vec3f,
}

/** Rows: (depth, 0, 0, 0), then two per node from node 0 on, then four per leaf: the plane, and three edges in it. */
fn triangleOf(surface: Surface, leaf: u32) -> Surface {
  var triangle = surface;
  let depth = rows[surface.rows].x;
  triangle.kind = triangleKind;
  triangle.rows = surface.rows + 1u + 4u * (1u << depth) + 4u * leaf;
  triangle.first = floatsAt(triangle.rows);
  return triangle;
}

fn beginMesh(surface: Surface, until: f32) -> MeshWalk {
  // Before the first piece: the walk of the one before has ended.
  var walk: MeshWalk;
  walk.piece = 0xffffffffu;
  walk.depth = rows[surface.rows].x;
  walk.step = until / f32(meshPieces);
  return walk;
}

/** The next leaf whose box the path meets, or `noLeaf` at the end of the mesh or of the time that matters. */
fn nextLeaf(surface: Surface, path: Path, walk: ptr<function, MeshWalk>, until: f32) -> u32 {
  let nodes = surface.rows + 1u;
  loop {
    if ((*walk).node == 0u) {
      (*walk).piece += 1u;
      (*walk).begin = f32((*walk).piece) * (*walk).step;
      if ((*walk).piece == meshPieces || (*walk).begin > until) { return noLeaf; }
      let radius = 0.5 * (*walk).step + 8.0 * unit * until;
      let seen = seenAt(surface, path, (*walk).begin + 0.5 * (*walk).step, radius);
      if (seen.away) { continue; }
      var extent = abs(seen.w) * radius + 0.5 * abs(path.a) * radius * radius + (seen.errorW + path.errorA * radius) * radius;
      if (anyTurns && (surface.flags & turnsFlag) != 0u) { extent = vec3f(seen.moved); }
      let reach = 1.00001 * extent + vec3f(seen.errorP + 4.0 * unit * length(seen.p));
      (*walk).low = seen.p - reach;
      (*walk).high = seen.p + reach;
      (*walk).node = 1u;
      (*walk).level = 0u;
    }
    let node = (*walk).node;
    let meets = all((*walk).low <= floatsAt(nodes + 2u * node + 1u).xyz) && all(floatsAt(nodes + 2u * node).xyz <= (*walk).high);
    if (meets && (*walk).level < (*walk).depth) {
      (*walk).node = 2u * node;
      (*walk).level += 1u;
      continue;
    }
    let leaf = node - (1u << (*walk).level);
    let climbed = firstTrailingBit(node + 1u);
    if (climbed >= (*walk).level) {
      (*walk).node = 0u;
    } else {
      (*walk).node = (node + 1u) >> climbed;
      (*walk).level -= climbed;
    }
    if (meets) { return leaf; }
  }
}
