// Before the first file of tests: from here on Node loads modules as the hooks beside this file say.
import { register } from 'node:module';

const marker = Symbol.for('nearfield.module-hooks');
if (!globalThis[marker]) {
  globalThis[marker] = true;
  register('./hooks.mjs', import.meta.url);
}
