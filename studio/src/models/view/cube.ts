// A cube that turns with the view and says which side is which. A click on a side looks from there; a list beside it
// does the same for keys, and chooses which axis points up.

import { Vector3 } from 'three/webgpu';
import { element } from '../../parts/element.ts';
import type { UpAxis } from '../../viewer/camera.ts';
import type { Viewer } from '../../viewer/viewer.ts';

interface Side {
  readonly name: string;
  /** Where it faces, and which way its words stand, with +z up. */
  readonly normal: readonly [number, number, number];
  readonly up: readonly [number, number, number];
}

const sides: readonly Side[] = [
  { name: 'Top', normal: [0, 0, 1], up: [0, 1, 0] },
  { name: 'Bottom', normal: [0, 0, -1], up: [0, -1, 0] },
  { name: 'Front', normal: [0, -1, 0], up: [0, 0, 1] },
  { name: 'Back', normal: [0, 1, 0], up: [0, 0, 1] },
  { name: 'Left', normal: [-1, 0, 0], up: [0, 0, 1] },
  { name: 'Right', normal: [1, 0, 0], up: [0, 0, 1] },
];
/** From the front, the right and above. */
const corner: readonly [number, number, number] = [0.45, -0.78, 0.45];
/** Half the side of the cube, in pixels. */
const half = 26;

export function openCube(viewer: Viewer): () => void {
  const { camera } = viewer;
  const worldOf = ([x, y, z]: readonly [number, number, number]) =>
    camera.up === 'y' ? new Vector3(x, z, -y) : new Vector3(x, y, z);
  const look = (direction: readonly [number, number, number]) => camera.lookFrom(worldOf(direction));
  const faces = sides.map(({ name, normal }) =>
    element(
      'span',
      { class: 'cube-side', title: `Look at the ${name.toLowerCase()}`, onclick: () => look(normal) },
      name,
    ),
  );
  const cube = element('div', { class: 'cube', aria: { hidden: 'true' } }, ...faces);
  const views = element('select', { aria: { label: 'Standard views and up axis' } });
  const turn = (axis: UpAxis) => {
    camera.setUp(axis);
    viewer.fit();
  };
  const choices: readonly (readonly [string, () => void])[] = [
    ['View', () => {}],
    ...sides.map(({ name, normal }) => [name, () => look(normal)] as const),
    ['Corner', () => look(corner)],
    ['z up', () => turn('z')],
    ['y up', () => turn('y')],
  ];
  views.append(...choices.map(([name]) => new Option(name)));
  views.addEventListener('change', () => {
    choices[views.selectedIndex][1]();
    views.selectedIndex = 0;
  });
  const whole = element('div', { class: 'view-cube' }, cube, views);
  document.querySelector('.view')!.append(whole);
  const follow = () => {
    const e = camera.camera.matrixWorldInverse.elements;
    // To right, down and towards the reader, as style sheets have it.
    const seen = ({ x, y, z }: Vector3) => [
      e[0] * x + e[4] * y + e[8] * z,
      -(e[1] * x + e[5] * y + e[9] * z),
      e[2] * x + e[6] * y + e[10] * z,
    ];
    for (const [i, { normal, up }] of sides.entries()) {
      const [n, u] = [worldOf(normal), worldOf(up)];
      const columns = [u.clone().cross(n), u.clone().negate(), n].map(seen);
      const middle = columns[2].map(value => half * value);
      const matrix = [...columns.flatMap(column => [...column, 0]), ...middle, 1];
      faces[i].style.transform = `matrix3d(${matrix.map(value => value.toFixed(5)).join()})`;
    }
  };
  const stop = viewer.listenDrawn(follow);
  follow();
  return () => {
    stop();
    whole.remove();
  };
}
