import type { Engine } from './engine.ts';
import { createImages, imageKinds } from './images.ts';
import { createNearfield, kinds } from './nearfield.ts';

/** Loaded only when asked for: the peers are many megabytes. */
const peers: Readonly<Record<string, () => Promise<Engine>>> = {
  'three-mesh-bvh': async () => (await import('./three-mesh-bvh/engine.ts')).threeMeshBvh,
  Rapier: async () => (await import('./rapier.ts')).createRapier(),
  Manifold: async () => (await import('./manifold.ts')).createManifold(),
  Jolt: async () => (await import('./jolt.ts')).createJolt(),
};

export async function loadPeers(): Promise<Engine[]> {
  const loaded: Engine[] = [];
  for (const load of Object.values(peers)) loaded.push(await load());
  return loaded;
}

/** The engine of that name and no other. */
export function loadEngine(name: string): Promise<Engine> {
  const kind = kinds.find(known => name === `Nearfield ${known}`);
  if (kind) return createNearfield(kind);
  const images = imageKinds.find(known => name === `Nearfield ${known}`);
  return images ? createImages(images) : peers[name]();
}
