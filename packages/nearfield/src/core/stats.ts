// How much work a question took, whichever engine did it.

export interface EngineStats {
  /** Triangle tests made, and how many of them the engine could not decide. */
  triangleTests: number;
  unsure: number;
  /** Box tests made in trees. */
  boxTests: number;
  /** GPU dispatches; 0 on the CPU. */
  dispatches: number;
  /** How often an output was too small and the work was resumed or run again with a larger one. */
  growths: number;
}

export const newStats = (): EngineStats => ({
  triangleTests: 0,
  unsure: 0,
  boxTests: 0,
  dispatches: 0,
  growths: 0,
});
