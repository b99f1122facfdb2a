import type { Engine } from './engine.ts';

/** Loaded only when asked for: the peers are many megabytes. */
export async function loadPeers(): Promise<Engine[]> {
  const { threeMeshBvh } = await import('./three-mesh-bvh.ts');
  const { createRapier } = await import('./rapier.ts');
  const { createManifold } = await import('./manifold.ts');
  const { createJolt } = await import('./jolt.ts');
  return [threeMeshBvh, await createRapier(), await createManifold(), await createJolt()];
}
