// The paper's argument against hierarchies: SOLID rebuilt its trees in every frame of bodies that break (section 5.2).

import type { InterferenceOptions, Nearfield } from 'nearfield';
import { type Case, type Frame, presentIn } from '../../case.ts';
import { crowdSession } from '../../peers/crowd.ts';
import type { Cell, Exhibit, Findings, Lab } from '../paper.ts';
import { fewFrames, ownWithoutTrees, smallerNote } from './follow.ts';
import { trianglesIn } from './queries.ts';
import { breakingCase } from './scenes.ts';

export const rebuildingExhibit: Exhibit = {
  name: 'Section 5.2, SOLID',
  title: 'rebuilding trees in every frame',
  about:
    'The paper argues that hierarchies do not pay for bodies that break: SOLID took 100 to 176 ms per frame to rebuild them, without any query, where FAR took up to 50 ms for everything. Here all trees of a frame of the breaking scene are rebuilt; beside it is the whole question without any tree.',
  needsGpu: false,
  run: rebuilding,
};

async function rebuilding(lab: Lab): Promise<Findings> {
  const job = await breakingCase(lab);
  const chosen = fewFrames(job, lab.isSoftware ? 1 : 3);
  const rows: Cell[][] = [];
  for (const i of chosen) {
    lab.log(`  frame ${i + 1}`);
    const frame = job.frames[i];
    const bodies = presentIn(job, frame).length;
    const triangles = trianglesIn(job, i);
    const onCpu = await rebuilt(lab, lab.cpu, job, frame, {});
    const onGpu = lab.gpu && (await rebuilt(lab, lab.gpu, job, frame, {}));
    const treeless = lab.gpu && (await rebuilt(lab, lab.gpu, job, frame, ownWithoutTrees));
    rows.push([
      i + 1,
      bodies,
      triangles,
      '100 to 176',
      onCpu.rebuild,
      onGpu?.rebuild,
      onCpu.whole,
      onGpu?.whole,
      treeless?.whole,
    ]);
  }
  return {
    tables: [
      {
        title: 'Milliseconds per frame',
        heads: [
          'frame',
          'bodies',
          'triangles',
          'SOLID, rebuild (paper)',
          'CPU, rebuild',
          'GPU, rebuild',
          'CPU, rebuild and question',
          'GPU, rebuild and question',
          'GPU, question without trees',
        ],
        rows,
      },
    ],
    notes: [
      'All bodies of the frame get new positions, and their trees are built anew. A rebuild is the time of that and a question, less the time of the question alone. The question without trees includes the upload of all positions. The paper: 30 to 60 ms for FAR, boxes around triangles included.',
      ...(lab.gpu ? [] : ['The columns of the GPU need a GPU.']),
      ...smallerNote(lab),
    ],
  };
}

/** A frame whose bodies all get new positions, then the question; and that less the question alone. */
async function rebuilt(
  lab: Lab,
  nf: Nearfield,
  job: Case,
  frame: Frame,
  options: InterferenceOptions,
): Promise<{ rebuild: number; whole: number }> {
  const scene = nf.scene();
  const session = crowdSession(scene, job, detail => scene.interferences({ ...options, detail }));
  await session.ask(frame);
  // The same numbers in new arrays: a body's tree is rebuilt, whatever they are.
  const positions = scene.bodies.map(({ mesh }) => Float32Array.from(mesh.positions));
  const question = () => session.ask(frame);
  const both = () => {
    scene.bodies.forEach((body, k) => {
      body.deform(positions[k].slice(), { rebuild: true });
    });
    return session.ask(frame);
  };
  const [whole, alone] = await lab.measure(both, question);
  session.close();
  scene.close();
  return { rebuild: Math.max(0, whole.calm - alone.calm), whole: whole.calm };
}
