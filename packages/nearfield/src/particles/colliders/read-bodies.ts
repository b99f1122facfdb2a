// Bodies may be colliders while their positions are only on the GPU: these are read back before colliders are compiled.

import { Body } from '../../bodies/body.ts';
import { isObject } from '../../core/arguments.ts';
import type { Collider } from './shapes.ts';

/** Reads back positions of bodies that are only on the GPU. */
export async function readBodies(colliders: readonly Collider[]): Promise<void> {
  if (!Array.isArray(colliders)) return;
  for (const collider of colliders as readonly Collider[]) {
    if (isObject(collider) && 'body' in collider && collider.body instanceof Body)
      await collider.body.snapshotNow().onGpu?.read();
  }
}
