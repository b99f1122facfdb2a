// Whether a device was lost. There is one listener per device, and it refers to nothing else. A device keeps its listeners, and
// whatever they refer to, for as long as it lives: an application's own device would keep every session ever opened on it.

/** The loss of a device. */
export interface Loss {
  /** Becomes true when the news arrives. */
  readonly hasHappened: boolean;
}

const losses = new WeakMap<GPUDevice, Loss>();

export function lossOf(device: GPUDevice): Loss {
  let loss = losses.get(device);
  if (loss === undefined) losses.set(device, (loss = listen(device)));
  return loss;
}

function listen({ lost }: GPUDevice): Loss {
  const loss = { hasHappened: false };
  lost.then(() => {
    loss.hasHappened = true;
  });
  return loss;
}
