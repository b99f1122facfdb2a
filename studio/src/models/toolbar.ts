// Tools over the view: move, rotate, fit, section, measure, and ways to see into the assembly.

import { element, iconButton } from '../parts/element.ts';
import { icons } from '../parts/icons.ts';
import { isTyping } from '../parts/keys.ts';
import type { Studio } from '../studio.ts';
import type { Live } from './live.ts';
import { openCube } from './view/cube.ts';
import { openMeasure } from './view/measure.ts';
import { openSection } from './view/section.ts';
import { openSightTools } from './view/sight-tools.ts';

export function openToolbar(studio: Studio, live: Live): () => void {
  const { store, viewer } = studio;
  const view = document.querySelector('.view')!;
  const move = iconButton(icons.move, 'Move (G)', () => setMode('translate'));
  const rotate = iconButton(icons.rotate, 'Rotate (R)', () => setMode('rotate'));
  for (const button of [move, rotate]) button.classList.add('moving');
  const setMode = (mode: 'translate' | 'rotate') => {
    viewer.gizmo.setMode(mode);
    move.setAttribute('aria-pressed', String(mode === 'translate'));
    rotate.setAttribute('aria-pressed', String(mode === 'rotate'));
  };
  const snap = iconButton(icons.snap, 'Snap to steps while dragging', () => {
    const isOn = snap.getAttribute('aria-pressed') !== 'true';
    snap.setAttribute('aria-pressed', String(isOn));
    setSnap(studio, isOn);
  });
  snap.classList.add('moving');
  const section = openSection(studio);
  const measure = openMeasure(studio, live);
  const sight = openSightTools(studio);
  const bar = element(
    'div',
    { class: 'toolbar', aria: { role: 'toolbar', label: 'View' } },
    move,
    rotate,
    snap,
    iconButton(icons.fit, 'Show everything (F)', () => viewer.fit()),
    section.button,
    measure.button,
    ...sight.buttons,
  );
  const under = element('div', { class: 'under-toolbar' }, section.controls, sight.controls);
  view.append(bar, under, measure.readout);
  const closeCube = openCube(viewer);
  setMode('translate');
  const key = (event: KeyboardEvent) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || bar.hidden) return;
    if (event.key === 'g') setMode('translate');
    if (event.key === 'r') setMode('rotate');
    if (event.key === 's') section.toggle();
    if (event.key === 'm') measure.toggle();
    if (event.key === 'Escape') measure.cancel();
    sight.key(event);
  };
  addEventListener('keydown', key);
  const show = () => {
    bar.hidden = store.document.bodies.length === 0;
    section.show();
    measure.show();
  };
  const stop = store.listen(show);
  show();
  return () => {
    stop();
    removeEventListener('keydown', key);
    measure.cancel();
    section.close();
    sight.close();
    closeCube();
    for (const part of [bar, under, measure.readout]) part.remove();
  };
}

/** A step is a power of ten near a hundredth of the assembly; a turn is by 15°. */
function setSnap({ viewer }: Studio, isOn: boolean): void {
  const size = viewer.bodies.box().getSize(viewer.camera.camera.position.clone()).length();
  const step = 10 ** Math.round(Math.log10(size / 100));
  viewer.gizmo.setSnap(isOn && step > 0 ? step : undefined, isOn ? 15 : undefined);
}
