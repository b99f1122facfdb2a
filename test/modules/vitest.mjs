// What tests import as 'vitest': all of it, with assertions that cost less. Tests make millions of them.
import { chai, expect as counting, TestRunner } from 'vitest';

export * from 'vitest';

// Chai makes of every assertion a Proxy, to find misspelt names of properties. The compiler finds those.
chai.config.useProxy = false;

const uncounted = () => {
  throw new Error('assertions are not counted here');
};

/** Counts no assertions: for that, Vitest copies the descriptors of a dozen properties at every one. */
export const expect = Object.assign(
  (value, message) => {
    const assertion = chai.expect(value, message);
    const test = TestRunner.getCurrentTest();
    return test === undefined ? assertion : assertion.withTest(test);
  },
  counting,
  { assertions: uncounted, hasAssertions: uncounted },
);

const Numbers = Object.getPrototypeOf(Uint8Array);

/** Typed arrays of the same numbers are equal; Vitest, which takes microseconds a number, is left to tell how others differ. */
expect.addEqualityTesters([
  (a, b) => {
    if (!(a instanceof Numbers && b instanceof Numbers)) return undefined;
    if (a.constructor !== b.constructor || a.length !== b.length) return undefined;
    for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return undefined;
    return true;
  },
]);
