// A thread that finds frames of a motion: it takes one after the other until none is left.

import { parentPort, workerData } from 'node:worker_threads';
import { FrameFinder } from '@nearfield/clashes';
import { open } from 'nearfield';
import { type FramesStart, type FramesTask, findTimed, packFound, unpackQuestion } from './task.ts';

// Compiles WebAssembly at once. All threads of a process share the few that compile in the background, and those are busy with the
// code of the threads that began first: the last of sixteen would wait for seconds.
WebAssembly.compile = async bytes => new WebAssembly.Module(bytes);

const { next, maxMemory } = workerData as FramesStart;
const nf = await open({ backend: 'cpu', threads: 1, maxMemory });
const task = await new Promise<FramesTask>(resolve => parentPort!.once('message', resolve));
const { question, frameCount, showFrame } = unpackQuestion(task);
const finder = new FrameFinder(nf, question);
for (let frame = Atomics.add(next, 0, 1); frame < frameCount; frame = Atomics.add(next, 0, 1)) {
  showFrame(frame);
  parentPort!.postMessage(packFound(await findTimed(finder, frame)));
}
nf.close();
