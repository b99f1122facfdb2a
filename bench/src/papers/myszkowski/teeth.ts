// The teeth of Myszkowski et al.: Figure 5's four stages, and Figure 7's error of the distance map.

import { jawStages } from '@nearfield/samples';
import type { DistanceMap, Nearfield, Scene } from 'nearfield';
import { type Cell, type Findings, type Lab, pageSeconds } from '../paper.ts';
import { askAll, median, pairScene } from './asking.ts';
import { type JawPair, jawPair } from './scanned-jaws.ts';

/** Milliseconds of the paper by the number of passes: RealityEngine2, Extreme. It had no teeth with two. */
const paperTeeth: Readonly<Record<number, readonly [number, number] | undefined>> = {
  1: [300, 490],
  3: [1110, 1780],
};

export async function teeth(lab: Lab): Promise<Findings> {
  const resolution = lab.isSoftware ? 64 : 512;
  const jaws = await jawPair(lab.cpu, lab.isSoftware ? 8000 : undefined);
  // Across the bite and askew, lines pass several teeth.
  const [x, y, z] = jaws.bite;
  const aslant = [z + 0.4 * x, x + 0.4 * y, y + 0.4 * z] as const;
  const rows: Cell[][] = [];
  for (const stage of jawStages) {
    for (const [name, direction] of [
      ['along the bite', jaws.bite],
      ['across the teeth', aslant],
    ] as const) {
      lab.log(`  ${jaws.name}, ${stage}, ${name}`);
      const scene = pairScene(lab.gpu!, [
        { mesh: jaws.upper },
        { mesh: jaws.lower, pose: jaws.poseAt(stage) },
      ]);
      const exact = lab.cpu.scene();
      exact.add(jaws.upper);
      exact.add(jaws.lower, { pose: jaws.poseAt(stage) });
      const meets = exact.interferencesSync({ detail: 'any' }).length > 0;
      exact.close();
      const asked = { direction, resolution };
      const [drawn, computed] = await askAll(lab, scene, [{ ...asked, form: 'drawn' }, asked]);
      const [graphics, software] = [0, 1].map(k => drawn.phases.reduce((sum, phase) => sum + phase[k], 0));
      const { passes } = drawn.answer.layers;
      const [first, last] = paperTeeth[passes] ?? [undefined, undefined];
      const over = (time: number) => first && first / time;
      rows.push([
        `${stage}, ${name}`,
        ...[first, last, graphics, software, drawn.total, computed.total],
        ...[over(drawn.total), over(computed.total), drawn.total / computed.total],
        ...[passes, drawn.answer.layers.mostLayers || undefined],
        `${drawn.answer.length > 0} / ${computed.answer.length > 0} / ${meets}`,
      ]);
      scene.close();
    }
  }
  return {
    tables: [
      {
        title: `${jaws.name}, ${resolution} × ${resolution} pixels, milliseconds`,
        heads: [
          ...['', 'RealityEngine2', 'Extreme', 'drawn: graphics', 'drawn: software', 'drawn', 'computed'],
          ...['RealityEngine2 : drawn', 'RealityEngine2 : computed', 'drawn : computed'],
          ...['passes', 'layers ordered, at most'],
          'meet (drawn / computed / exactly)',
        ],
        rows,
      },
    ],
    notes: lab.isSoftware
      ? [
          `On a software GPU the picture has ${resolution} × ${resolution} pixels, and generated teeth 8,000 polygons.`,
        ]
      : [],
  };
}

/** Fine lines per pixel along each side. */
const raysAcross = 5;
const tilts = [0, 10, 20, 30, 40, 50, 60, 70];
/** If fewer milliseconds are left for the page, it leaves out further tilts. */
const leastLeft = 10_000;

export async function figure7(lab: Lab): Promise<Findings> {
  const jaws = await jawPair(lab.cpu);
  const { bounds } = jaws.upper;
  // Some 500 pixels, as in the paper: generated teeth are about 30 mm long, jaws more.
  const longest = Math.max(...[0, 1, 2].map(k => bounds[k + 3] - bounds[k]));
  const pixel = lab.isSoftware ? 0.1 : Math.max(0.06, Math.ceil((100 * longest) / 512) / 100);
  const rows: Cell[][] = [];
  const spreads: { tilt: number; errors: Float64Array }[] = [];
  const found: { tilt: number; rms: number; most: number; gpu: number | undefined }[] = [];
  const skipped: (number | 'normals')[] = [];
  const projections = [...tilts.slice(0, 1), 'normals' as const, ...tilts.slice(1)];
  for (const tilt of projections) {
    if (found.length > 0 && lab.left() < leastLeft) {
      skipped.push(tilt);
      continue;
    }
    const isTilt = tilt !== 'normals';
    lab.log(`  ${jaws.name}, ${isTilt ? `tilted by ${tilt}°` : 'adjusted to normals'}`);
    const direction = isTilt ? tilted(jaws.bite, (tilt * Math.PI) / 180) : 'normals';
    const asked = { direction, pixel: pixel / raysAcross, surfaces: 'facing', signal: lab.signal } as const;
    const map = await mapOf(lab.cpu, jaws, asked);
    const errors = errorsOfMap(map);
    const rms = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
    const most = errors[errors.length - 1];
    const own = lab.gpu && (await mapOf(lab.gpu, jaws, { ...asked, ...(lab.isSoftware && { pixel }) }));
    const same = own && (lab.isSoftware ? await mapOf(lab.cpu, jaws, { ...asked, pixel }) : map);
    const gpu = own && same && difference(own, same);
    rows.push([
      isTilt ? tilt : 'adjusted to normals',
      errors.length,
      rms,
      median(Array.from(errors)),
      most,
      gpu?.rms,
      gpu?.most,
      own?.error,
    ]);
    if (!isTilt) continue;
    spreads.push({ tilt, errors });
    found.push({ tilt, rms, most, gpu: gpu?.most });
  }
  const shares = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
  const at = (errors: Float64Array, share: number) => errors[Math.floor((1 - share) * (errors.length - 1))];
  return {
    tables: [
      {
        title: `${jaws.name}, closed; pixels of ${pixel} mm; errors in millimetres (the paper: RMS 0.0009, maximum 0.06)`,
        heads: [
          ...['tilt, degrees', 'pixels', 'RMS', 'median', 'maximum'],
          ...['GPU map, RMS', 'GPU map, maximum', 'GPU map, stated bound'],
        ],
        rows,
      },
    ],
    plots: [
      {
        id: 'figure-7-directions',
        title: 'error of the map against the projection',
        x: { label: 'angle between the projection and the bite, degrees' },
        y: { label: 'millimetres', log: true },
        series: [
          { name: 'maximum', points: found.map(({ tilt, most }) => [tilt, most] as const) },
          { name: 'RMS', points: found.map(({ tilt, rms }) => [tilt, rms] as const) },
          { name: 'the paper, maximum, adjusted projection', isPaper: true, points: [[0, 0.06]] },
          { name: 'the paper, RMS, adjusted projection', isPaper: true, points: [[0, 0.0009]] },
        ],
      },
      {
        id: 'figure-7-distribution',
        title: 'distribution of the error',
        x: { label: 'share of pixels with a larger error', log: true },
        y: { label: 'millimetres', log: true },
        series: spreads
          .filter(({ tilt }) => [0, 20, 40, 60].includes(tilt))
          .map(({ tilt, errors }) => ({
            name: `${tilt}°`,
            points: shares.map(share => [share, Math.max(at(errors, share), 1e-9)] as const),
          })),
      },
    ],
    notes: [
      'The error is that of one line per pixel: it grows where polygons are steep to the projection, as the paper found. Rounding depths to 24 bits adds less than 0.00001 mm.',
      ...(skipped.length > 0
        ? [`Left out, since a page may take ${pageSeconds} s: tilts of ${skipped.join(', ')} degrees.`]
        : []),
    ],
  };
}

async function mapOf(
  nf: Nearfield,
  { upper, lower, poseAt }: JawPair,
  options: Parameters<Scene['distanceMap']>[2],
): Promise<DistanceMap> {
  const scene = nf.scene();
  const [a, b] = [scene.add(upper), scene.add(lower, { pose: poseAt('closed') })];
  const map = await scene.distanceMap(a, b, options);
  scene.close();
  return map;
}

/** The errors of all pixels whose lines all meet both jaws, in order. */
function errorsOfMap({ columns, rows, distance, depth, view }: DistanceMap): Float64Array {
  const step = (view.far - view.near) / 2 ** 24;
  const stored = (value: number) => Math.round(value / step) * step;
  const errors: number[] = [];
  const half = (raysAcross - 1) / 2;
  for (let row = half; row + half < rows; row += raysAcross) {
    for (let column = half; column + half < columns; column += raysAcross) {
      let sum = 0;
      for (let y = row - half; y <= row + half; y++) {
        for (let x = column - half; x <= column + half; x++) sum += distance[y * columns + x];
      }
      if (Number.isNaN(sum)) continue;
      const at = row * columns + column;
      const middle = stored(depth[at] + distance[at]) - stored(depth[at]);
      errors.push(Math.abs(middle - sum / raysAcross ** 2));
    }
  }
  if (errors.length === 0) throw new Error('no pixel shows both jaws');
  return Float64Array.from(errors).sort();
}

/** How far two maps of one view are apart. */
function difference(p: DistanceMap, q: DistanceMap): { rms: number; most: number } {
  let [sum, most, count] = [0, 0, 0];
  p.distance.forEach((distance, pixel) => {
    const off = Math.abs(distance - q.distance[pixel]);
    if (Number.isNaN(off)) return;
    sum += off * off;
    most = Math.max(most, off);
    count++;
  });
  return { rms: Math.sqrt(sum / Math.max(1, count)), most };
}

/** The direction of the bite, turned by an angle towards the next axis. */
function tilted(bite: readonly [number, number, number], angle: number): [number, number, number] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const aside = [bite[2], bite[0], bite[1]];
  return [0, 1, 2].map(k => c * bite[k] + s * aside[k]) as [number, number, number];
}
