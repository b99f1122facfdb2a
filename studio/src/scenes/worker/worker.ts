// The scenes' worker: moves one scene at a time and asks it on the CPU engine.

import { open } from 'nearfield';
import { type Port, serve } from '../../engine/worker/channel.ts';
import { askScene } from '../questions.ts';
import type { Found, SceneName, SceneTasks, Settings, Stepped } from '../types.ts';
import { Frames } from './frames.ts';
import { createProgram, type Program } from './programs.ts';

const opening = open({ backend: 'cpu' });
let running: { readonly name: SceneName; readonly program: Program; readonly frames: Frames } | undefined;

async function stepped(settings: Settings): Promise<Stepped> {
  const { program, frames } = running!;
  return { found: await found(settings), frame: frames.next(program) };
}

/** If the page asks on the GPU, only the positions. */
async function found(settings: Settings): Promise<Found | undefined> {
  const { name, program } = running!;
  if (program.scene === undefined) return program.ask?.();
  if (settings['asked elsewhere']) return undefined;
  const bodies = program.scene.bodies;
  return askScene(name, { scene: program.scene, bodies, idOf: body => body.index }, settings);
}

function stop(): void {
  running?.program.close();
  running = undefined;
}

serve<SceneTasks>(globalThis as unknown as Port, {
  async start({ name, settings }) {
    stop();
    running = { name, program: await createProgram(await opening, name, settings), frames: new Frames() };
    return stepped(settings);
  },
  async step(settings) {
    await running!.program.advance(settings);
    return stepped(settings);
  },
  stop,
});
