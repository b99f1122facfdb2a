// Tools for seeing into an assembly: one body alone, everything of glass, parts moved away from one another.

import { element, iconButton } from '../../parts/element.ts';
import { icons } from '../../parts/icons.ts';
import type { Studio } from '../../studio.ts';

export function openSightTools({ store, viewer }: Studio) {
  const { sight } = viewer;
  const isolate = () =>
    sight.set({ only: sight.state.only || store.selected === undefined ? undefined : [store.selected] });
  const xray = () => sight.set({ isXray: !sight.state.isXray });
  const explode = () => sight.set({ apart: sight.state.apart > 0 ? 0 : 0.6 });
  const shade = () => {
    viewer.isShaded = !viewer.isShaded;
    show();
  };
  const buttons = [
    iconButton(icons.isolate, 'Isolate the selected body (I)', isolate),
    iconButton(icons.xray, 'X-ray: all bodies of glass (X)', xray),
    iconButton(icons.explode, 'Explode: move bodies apart (E)', explode),
    iconButton(icons.shade, 'Ambient shading when the view is at rest (A)', shade),
  ];
  const slide = element('input', { type: 'range', min: '0', max: '2', step: '0.01' });
  slide.setAttribute('aria-label', 'How far bodies are apart');
  slide.addEventListener('input', () => sight.set({ apart: slide.valueAsNumber }));
  const controls = element(
    'label',
    { class: 'section-controls', title: 'Only the drawing is moved, not the bodies' },
    'Exploded',
    slide,
  );
  const show = () => {
    const { only, isXray, apart } = sight.state;
    for (const [i, isOn] of [only !== undefined, isXray, apart > 0, viewer.isShaded].entries())
      buttons[i].setAttribute('aria-pressed', String(isOn));
    controls.hidden = apart === 0 && document.activeElement !== slide;
    if (document.activeElement !== slide) slide.value = String(apart);
  };
  const stop = sight.listen(show);
  show();
  const key = (event: KeyboardEvent) => {
    if (event.key === 'i') isolate();
    if (event.key === 'x') xray();
    if (event.key === 'e') explode();
    if (event.key === 'a') shade();
    if (event.key === 'H') sight.set({ hidesOthers: !sight.state.hidesOthers });
    if (event.key === 'Escape') sight.set({ only: undefined });
  };
  const close = () => {
    stop();
    sight.set({ only: undefined, isXray: false, apart: 0, hidesOthers: false, glass: undefined });
  };
  return { buttons, controls, key, close };
}
