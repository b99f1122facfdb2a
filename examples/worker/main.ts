// The page: asks a worker, so that it never stands still, and shows the answer.
import type { Answer, Request } from './worker.ts';

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
const output = document.querySelector('output')!;
worker.onmessage = ({ data }: MessageEvent<Answer>) => {
  output.textContent = data.map(([a, relation, b]) => `${a} ${relation} ${b}`).join('\n') || 'nothing meets';
};
worker.onerror = event => {
  output.textContent = `failed: ${event.message}`;
};

const tetrahedron = (x: number) => Float32Array.of(x, 0, 0, x + 1, 0, 0, x, 1, 0, x, 0, 1);
const indices = Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
const request: Request = [
  { name: 'left', positions: tetrahedron(0), indices },
  { name: 'middle', positions: tetrahedron(0.5), indices },
  { name: 'right', positions: tetrahedron(3), indices },
];
worker.postMessage(request);
