// A thread that finds frames of a motion: it takes one after the other until none is left.

import { parentPort, workerData } from 'node:worker_threads';
import { FrameFinder } from '@nearfield/clashes';
import { open } from 'nearfield';
import { type FramesTask, findTimed, packFound, unpackQuestion } from './task.ts';

const task = workerData as FramesTask;
const { question, frameCount, showFrame } = unpackQuestion(task);
const nf = await open({ backend: 'cpu', threads: 1, maxMemory: task.maxMemory });
const finder = new FrameFinder(nf, question);
for (let frame = Atomics.add(task.next, 0, 1); frame < frameCount; frame = Atomics.add(task.next, 0, 1)) {
  showFrame(frame);
  parentPort!.postMessage(packFound(await findTimed(finder, frame)));
}
nf.close();
