// The scenes' worker: one scene at a time, moved and asked on the CPU engine.

import { open } from 'nearfield';
import { type Port, serve } from '../engine/channel.ts';
import { Frames } from './frames.ts';
import { createProgram, type Program } from './programs.ts';
import { askScene } from './questions.ts';
import type { SceneName, SceneTasks, Settings, Stepped } from './types.ts';

const opening = open({ backend: 'cpu' });
let running: { readonly name: SceneName; readonly program: Program; readonly frames: Frames } | undefined;

/** Where the page asks on the GPU, only where things are. */
async function stepped(settings: Settings): Promise<Stepped> {
  const { name, program, frames } = running!;
  const asked = {
    scene: program.scene,
    bodies: program.bodies,
    idOf: (body: { index: number }) => body.index,
  };
  const found = settings['asked elsewhere'] ? undefined : await askScene(name, asked, settings);
  return { frame: frames.next(program), found };
}

function stop(): void {
  running?.program.close();
  running = undefined;
}

serve<SceneTasks>(globalThis as unknown as Port, {
  async start({ name, settings }) {
    stop();
    running = { name, program: createProgram(await opening, name, settings), frames: new Frames() };
    return stepped(settings);
  },
  async step(settings) {
    await running!.program.advance();
    return stepped(settings);
  },
  stop,
});
