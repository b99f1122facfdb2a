// How much work a question took, on either engine.

/** Where questions are answered: on a GPU by WebGPU, or on the CPU by WebAssembly. */
export type Backend = 'cpu' | 'gpu';

/** What an engine did for an answer. */
export interface EngineStats {
  /** Triangle tests made. */
  triangleTests: number;
  /** Triangle tests that floating-point arithmetic with an error bound could not decide. */
  unsure: number;
  /** Box tests made in trees. */
  boxTests: number;
  /** GPU dispatches; 0 on the CPU. */
  dispatches: number;
  /** How often an output buffer overflowed, so that the work was resumed or repeated with a larger one. */
  growths: number;
}

export const newStats = (): EngineStats => ({
  triangleTests: 0,
  unsure: 0,
  boxTests: 0,
  dispatches: 0,
  growths: 0,
});
