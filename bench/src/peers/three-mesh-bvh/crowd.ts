// three-mesh-bvh with bodies that move, deform, come and go. It has no scene: a tree is built for each new body and
// refitted when the body deforms; the boxes of all bodies are swept along x, and the trees of those whose boxes meet
// are cast.

import type { Mesh } from 'nearfield';
import { Box3, BufferAttribute, BufferGeometry, Matrix4 } from 'three';
import { type ExtendedTriangle, MeshBVH } from 'three-mesh-bvh';
import { type Case, type Frame, firstTriangles, presentIn } from '../../case.ts';
import type { Session } from '../engine.ts';

/** A current body with its tree, its pose and the inverse, and its world box. */
const stand = (index: number, mesh: Mesh, options: object) => ({
  index,
  tree: new MeshBVH(geometryOf(mesh), options),
  matrix: new Matrix4(),
  inverse: new Matrix4(),
  box: new Box3(),
});
type Standing = ReturnType<typeof stand>;

export function crowdOfTrees(job: Case, options: object): Session {
  const standing = new Map<number, Standing>();
  /** Bodies and triangles of each pair. */
  const found: number[] = [];
  let [a, b] = [0, 0];
  const relative = new Matrix4();
  const callbacks = {
    intersectsTriangles(t: ExtendedTriangle, u: ExtendedTriangle, i: number, j: number) {
      if (t.intersectsTriangle(u)) found.push(a, i, b, j);
      return false;
    },
  };
  const place = (frame: Frame): Standing[] => {
    const present = presentIn(job, frame);
    const wanted = new Set(present);
    for (const index of standing.keys()) if (!wanted.has(index)) standing.delete(index);
    return Array.from(present, (index, k) => {
      const { mesh, pose } = job.bodies[index];
      let one = standing.get(index);
      if (!one) standing.set(index, (one = stand(index, mesh, options)));
      const own = frame.allPositions?.[k];
      if (own && own.length > 0) {
        (one.tree.geometry.attributes.position.array as Float32Array).set(own);
        one.tree.refit();
      }
      one.matrix.fromArray(frame.poses?.[k] ?? pose);
      one.inverse.copy(one.matrix).invert();
      one.tree.getBoundingBox(one.box).applyMatrix4(one.matrix);
      return one;
    });
  };
  return {
    ask(frame) {
      found.length = 0;
      const here = place(frame).sort((p, q) => p.box.min.x - q.box.min.x);
      for (let i = 0; i < here.length; i++) {
        const one = here[i];
        for (let j = i + 1; j < here.length && here[j].box.min.x <= one.box.max.x; j++) {
          const other = here[j];
          if (!one.box.intersectsBox(other.box)) continue;
          [a, b] = [one.index, other.index];
          relative.multiplyMatrices(one.inverse, other.matrix);
          one.tree.bvhcast(other.tree, relative, callbacks);
        }
      }
      return found;
    },
    pairs: () => numbered(job, standing, found),
    close() {},
  };
}

function geometryOf({ positions, indices }: Mesh) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  geometry.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
  return geometry;
}

/** The triangles of all bodies are numbered consecutively. */
function numbered(job: Case, standing: ReadonlyMap<number, Standing>, found: readonly number[]): Uint32Array {
  const first = firstTriangles(job);
  const orders = new Map<number, Uint32Array>();
  const number = (body: number, triangle: number): number => {
    let order = orders.get(body);
    if (!order) orders.set(body, (order = originalOrder(job.bodies[body].mesh, standing.get(body)!.tree)));
    return first[body] + order[triangle];
  };
  const pairs = new Uint32Array(found.length / 2);
  for (let i = 0; i < found.length; i += 4) {
    const [s, t] = [number(found[i], found[i + 1]), number(found[i + 2], found[i + 3])];
    pairs[i / 2] = Math.min(s, t);
    pairs[i / 2 + 1] = Math.max(s, t);
  }
  return pairs;
}

/** The build reorders the triangles; each is found again by its three vertices. */
export function originalOrder({ indices, vertexCount }: Mesh, tree: MeshBVH): Uint32Array {
  const byEdge = new Map<number, number[]>();
  for (let t = 0; t < indices.length / 3; t++) {
    const key = indices[3 * t] * vertexCount + indices[3 * t + 1];
    const others = byEdge.get(key);
    if (others) others.push(t);
    else byEdge.set(key, [t]);
  }
  const index = tree.geometry.index!.array;
  return Uint32Array.from({ length: index.length / 3 }, (_, t) => {
    const candidates = byEdge.get(index[3 * t] * vertexCount + index[3 * t + 1])!;
    return candidates.find(c => indices[3 * c + 2] === index[3 * t + 2])!;
  });
}
