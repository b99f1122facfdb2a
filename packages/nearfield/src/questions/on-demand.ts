// Questions whose code is loaded when they are first asked, so that a page downloads only what it asks. The answer is
// still about the bodies and the arguments as they were at the call, however long the code takes to arrive.

import { isObject } from '../core/words.ts';
import { type BareScene, coreOf } from './bare-scene.ts';

/** A question about a scene that can wait. */
type Ask = (scene: BareScene, ...given: readonly never[]) => Promise<unknown>;

/**
 * The question of that name in a module. The first call loads the module. If that fails, the next call tries again. Once it
 * is loaded, calls ask at once.
 */
export function onDemand<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  let ask: Ask | undefined;
  const loadThenAsk: Ask = async (scene, ...given) => {
    const core = coreOf(scene);
    const asked = core.questionAboutAll();
    const kept = asGiven(given);
    return core.whileWaiting(asked, {}, async () => {
      const loaded = (await load())[name] as Ask;
      ask = loaded;
      return core.asOf(asked, () => loaded(scene, ...kept));
    });
  };
  const question: Ask = (scene, ...given) => (ask ?? loadThenAsk)(scene, ...given);
  return question as Module[Name];
}

/**
 * A copy of arguments, since the caller may overwrite arrays and options once the call has returned. Typed arrays, arrays
 * and plain objects are copied, to any depth. What stands in two places is one object in the copy too: bodies may share
 * a joint (motion/types.ts). Everything else stays itself: bodies, signals, functions.
 */
export function asGiven<Given>(given: Given): Given {
  const copies = new Map<object, unknown>();
  const copyOf = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    if (ArrayBuffer.isView(value)) return keep(value, copyOfView(value));
    if (Array.isArray(value)) {
      const copy = keep(value, new Array<unknown>(value.length));
      value.forEach((item, i) => {
        copy[i] = copyOf(item);
      });
      return copy;
    }
    if (!isPlain(value)) return value;
    const copy: Record<string, unknown> = keep(value, {});
    for (const [name, item] of Object.entries(value)) copy[name] = copyOf(item);
    return copy;
  };
  const keep = <Copy>(value: object, copy: Copy): Copy => {
    copies.set(value, copy);
    return copy;
  };
  return copyOf(given) as Given;
}

/** An empty view may be of a buffer that was transferred away, which cannot be copied. */
const copyOfView = (view: ArrayBufferView): ArrayBufferView =>
  view.byteLength === 0 || !('slice' in view) ? view : (view as Uint8Array).slice();

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
