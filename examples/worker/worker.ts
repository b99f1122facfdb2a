// The worker: holds the engine, and answers which bodies meet. Only the code for this question is in its bundle.
import { openCpu } from 'nearfield/cpu';
import { interferences } from 'nearfield/interferences';
import { mesh } from 'nearfield/mesh';

export type Request = readonly {
  readonly name: string;
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}[];
export type Answer = readonly (readonly [a: string, relation: string, b: string])[];

const opened = openCpu();
self.onmessage = async ({ data }: MessageEvent<Request>) => {
  const scene = (await opened).scene();
  for (const { name, positions, indices } of data) scene.add(mesh(positions, indices), { name });
  const { pairs } = await interferences(scene);
  const answer: Answer = pairs.map(({ a, b, relation }) => [a.name, relation, b.name]);
  self.postMessage(answer);
  scene.close();
};
