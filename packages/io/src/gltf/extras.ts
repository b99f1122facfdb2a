// What do the `extras` of a glTF say about a body? Those of its mesh and of its node, flattened; of two values with one
// name the node's counts.

import { flattenProperties, mostProperties } from '../facts/properties.ts';
import type { PartProperties } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import type { CheckedJson } from './checked-json.ts';

/** A value in an object of its own. */
const valueBytes = 64;

export class Extras {
  private readonly meshes = new Map<number, PartProperties | undefined>();

  constructor(
    private readonly budget: Budget,
    private readonly warn: (what: string) => void,
  ) {}

  of(node: CheckedJson, mesh: CheckedJson, meshIndex: number): PartProperties | undefined {
    const shared = this.ofMesh(mesh, meshIndex);
    const own = this.flatten(node);
    if (!own || !shared) return own ?? shared;
    const merged = { ...shared, ...own };
    // Many nodes may share the extras of one mesh.
    this.budget.spend(valueBytes * Object.keys(merged).length, node.path);
    return merged;
  }

  /** Flattened once per mesh. */
  private ofMesh(mesh: CheckedJson, index: number): PartProperties | undefined {
    if (!mesh.get('extras')) return undefined;
    if (!this.meshes.has(index)) this.meshes.set(index, this.flatten(mesh));
    return this.meshes.get(index);
  }

  private flatten(holder: CheckedJson): PartProperties | undefined {
    const extras = holder.get('extras');
    if (!extras) return undefined;
    const { properties, cut } = flattenProperties(extras.value);
    if (cut)
      this.warn(`${extras.path}: only ${mostProperties} values are kept, none of them long or deeply nested`);
    return properties;
  }
}
