// Reads the poses of bodies from the file given with `--poses`, and tells the user which of them are converted to the
// answer's unit and axes.

import { type Motion, parsePoses } from '@nearfield/clashes';
import type { Files } from '../files.ts';
import { say, type Terminal } from '../output/terminal.ts';
import type { LoadedBody } from './load.ts';

/** The poses of the bodies per frame, in the unit and the coordinates of the answer. Throws 'bad-file'. */
export async function readPoses(
  name: string,
  bodies: readonly LoadedBody[],
  files: Files,
  terminal: Terminal,
): Promise<Motion> {
  const motion = parsePoses(name, await files.read(name), bodies);
  const named = new Set(motion.frames.flatMap(frame => [...frame.keys()]));
  const converted = new Set(
    [...named].flatMap(i => (bodies[i].conversion === undefined ? [] : [bodies[i].file])),
  );
  for (const file of converted) {
    say(
      terminal,
      `${name}: the poses of bodies of ${file} are taken in the unit and the axes of that file, and converted as the file is`,
    );
  }
  return motion;
}
