// A map of clearance on the surfaces of the chosen pair: from overlap in red over contact in green to blue. Loaded when
// it is first asked for.

import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshLambertMaterial,
  SRGBColorSpace,
} from 'three/webgpu';
import type { ClearanceData, MappedSurface } from '../../engine/types.ts';
import { css, type Rgb } from '../../hood/colours.ts';
import { element } from '../../parts/element.ts';
import { distanceColour } from '../../scenes/draw/maps.ts';
import type { Viewer } from '../../viewer/viewer.ts';
import { lengthIn } from '../review/words.ts';

const beyond: Rgb = [205, 212, 220];

/** Draws the map. Returns a function that removes it. */
export function drawMap({ scene, bodies, invalidate }: Viewer, { a, b, range }: ClearanceData): () => void {
  const material = new MeshLambertMaterial({ vertexColors: true, side: DoubleSide });
  const group = new Group();
  for (const surface of [a, b]) group.add(new Mesh(geometryOf(surface, bodies.origin, range), material));
  scene.add(group);
  invalidate();
  return () => {
    group.removeFromParent();
    for (const mesh of group.children as Mesh[]) mesh.geometry.dispose();
    material.dispose();
    invalidate();
  };
}

/** The colours and what they mean. */
export function scaleOfMap({ range, a, b }: ClearanceData, unit: number | undefined): HTMLElement {
  let least = Infinity;
  for (const { distances } of [a, b]) for (const value of distances) least = Math.min(least, value);
  const deepest = range / 3;
  const stops = [-deepest, -deepest / 2, -1e-9 * range, 0, range / 3, (2 * range) / 3, range];
  const bar = element('span', { class: 'map-bar' });
  bar.style.background = `linear-gradient(to right, ${stops.map(value => css(distanceColour(value, range))).join()})`;
  const words = [`${lengthIn(deepest, unit)} deep`, 'contact', `${lengthIn(range, unit)} apart`];
  return element(
    'div',
    { class: 'map-scale', data: { testid: 'map-scale', least: String(least) } },
    bar,
    element('div', { class: 'map-words' }, ...words.map(text => element('span', {}, text))),
    element(
      'span',
      { class: 'hint' },
      `Least: ${least < 0 ? `${lengthIn(-least, unit)} deep` : `${lengthIn(least, unit)} apart`}`,
    ),
  );
}

function geometryOf(
  { corners, distances }: MappedSurface,
  origin: readonly number[],
  range: number,
): BufferGeometry {
  const positions = new Float32Array(corners.length);
  for (let i = 0; i < corners.length; i++) positions[i] = corners[i] - origin[i % 3];
  const colours = new Float32Array(corners.length);
  const colour = new Color();
  for (const [i, distance] of distances.entries()) {
    const [r, g, b] = Number.isFinite(distance) ? distanceColour(distance, range) : beyond;
    colour.setRGB(r / 255, g / 255, b / 255, SRGBColorSpace).toArray(colours, 3 * i);
  }
  const geometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(positions, 3))
    .setAttribute('color', new BufferAttribute(colours, 3));
  geometry.computeVertexNormals();
  return geometry;
}
