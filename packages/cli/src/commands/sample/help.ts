// `nearfield sample NAME --help`: only the options of that scene, without those of the gearbox.

import { Command } from 'commander';
import { usualHailSteps } from './hail.ts';
import { sceneNames, usualSteps, withMaps, withResponse } from './scene.ts';

const hailHelp = `Prints which objects are struck, how often and how hard. --out ends in .wav (the sound), .png (a picture) or .json
(all impacts), or is a folder for all three.`;

/** The help of one scene. Undefined if the command line does not ask for it. */
export function sceneHelp(words: readonly string[]): string | undefined {
  const [command, ...more] = words;
  if (command !== 'sample' || !more.some(word => word === '--help' || word === '-h')) return undefined;
  const name = more.find(word => sceneNames.includes(word));
  if (name === undefined) return undefined;
  const isHail = name === 'hail';
  const help = new Command(`nearfield sample ${name}`)
    .description(
      isHail
        ? 'Hail on a house, a gazebo, a table and cans: every impact, its sound and its picture.'
        : 'Runs the sample step by step, as a table.',
    )
    .option('--steps <count>', `number of steps to run (default: ${stepsOf(name)})`)
    .option('--backend <backend>', 'gpu, cpu, or auto: the GPU if there is one', 'auto');
  if (withResponse.includes(name)) help.option('--response', 'let the bodies push one another');
  if (withMaps.includes(name)) help.option('--out <file>', 'write the picture of the last map (.png)');
  if (isHail) help.option('--out <file>', 'write the result: .wav, .png, .json, or a folder for all three');
  else help.option('--report <file>', 'also write an HTML report with pictures');
  return help.helpInformation() + (isHail ? `\n${hailHelp}\n` : '');
}

function stepsOf(name: string): string {
  if (name === 'hail') return String(usualHailSteps);
  return withMaps.includes(name) ? 'all stages' : String(usualSteps);
}
