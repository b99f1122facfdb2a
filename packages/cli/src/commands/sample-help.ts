// `nearfield sample NAME --help`: the options of that scene alone, not the gearbox's.

import { Command } from 'commander';
import { usualHailSteps } from './sample-hail.ts';
import { sceneNames, usualSteps, withMaps, withResponse } from './sample-scene.ts';

const hailHelp = `Prints what is struck, how often and how hard. --out ends in .wav (the sound), .png (a picture) or .json (all impacts),
or is a folder, which gets all three.`;

/** The help that is asked for of a scene; undefined where none is. */
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
    .option('--steps <count>', `how many steps it moves (default: ${stepsOf(name)})`)
    .option('--backend <backend>', 'gpu, cpu, or auto: the GPU where there is one', 'auto');
  if (withResponse.includes(name)) help.option('--response', 'let the bodies push one another');
  if (withMaps.includes(name)) help.option('--out <file>', 'write the picture of the last map (.png)');
  if (isHail)
    help.option('--out <file>', 'write what was found: .wav, .png, .json, or a folder for all three');
  else help.option('--report <file>', 'write an HTML report with pictures, too');
  return help.helpInformation() + (isHail ? `\n${hailHelp}\n` : '');
}

function stepsOf(name: string): string {
  if (name === 'hail') return String(usualHailSteps);
  return withMaps.includes(name) ? 'all of it' : String(usualSteps);
}
