// Dawn polls the GPU as often as Node lets it. That keeps a processor busy which a software GPU needs for its own
// work: a quarter of the cost of the hierarchy tests. While GPU tests wait, Dawn's polls are spread out: each comes
// after a tenth of the time waited so far, at most half a millisecond.

const marker = Symbol.for('nearfield.patient-polling');
const longestSleep = 0.5;

const globals = globalThis as unknown as Record<symbol, boolean | undefined>;
if (!globals[marker]) {
  globals[marker] = true;
  const usual = globalThis.setImmediate;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let looking = false;
  let began = 0;

  /** Dawn calls with this name each time, with a native function; all other callers pass their own. */
  const patient = (callback: (...given: unknown[]) => void, ...given: unknown[]): NodeJS.Immediate => {
    if (!Function.prototype.toString.call(callback).endsWith('{ [native code] }'))
      return usual(callback, ...given);
    if (!looking) began = performance.now();
    return usual(() => {
      const waited = performance.now() - began;
      Atomics.wait(cell, 0, 0, Math.min(longestSleep, waited / 10));
      looking = true;
      try {
        callback(...given);
      } finally {
        looking = false;
      }
    });
  };
  globalThis.setImmediate = Object.assign(patient, usual) as typeof setImmediate;
}
