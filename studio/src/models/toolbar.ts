// Tools over the view: move, rotate, fit, section, measure.

import { element, iconButton } from '../parts/element.ts';
import { icons } from '../parts/icons.ts';
import { isTyping } from '../parts/keys.ts';
import type { Section } from '../state/document.ts';
import type { Studio } from '../studio.ts';
import type { Live } from './live.ts';
import { shortened } from './review/words.ts';

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
  const bar = element(
    'div',
    { class: 'toolbar', aria: { role: 'toolbar', label: 'View' } },
    move,
    rotate,
    snap,
    iconButton(icons.fit, 'Show everything (F)', () => viewer.fit()),
    section.button,
    measure.button,
  );
  view.append(bar, section.controls, measure.readout);
  setMode('translate');
  const key = (event: KeyboardEvent) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey) return;
    if (event.key === 'g') setMode('translate');
    if (event.key === 'r') setMode('rotate');
    if (event.key === 's') section.toggle();
    if (event.key === 'm') measure.toggle();
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
    for (const part of [bar, section.controls, measure.readout]) part.remove();
  };
}

/** A step is a power of ten near a hundredth of the assembly; a turn is by 15°. */
function setSnap({ viewer }: Studio, isOn: boolean): void {
  const size = viewer.bodies.box().getSize(viewer.camera.camera.position.clone()).length();
  const step = 10 ** Math.round(Math.log10(size / 100));
  viewer.gizmo.setSnap(isOn && step > 0 ? step : undefined, isOn ? 15 : undefined);
}

function openSection({ store, viewer }: Studio) {
  const change = (section: Section | undefined, merge?: unknown) =>
    store.change('section', { ...store.document, section }, merge);
  const now = () => store.document.section;
  // The part between the camera and the middle is cut away, to look into the rest.
  const towardsEye = (): Section => {
    const { camera, controls } = viewer.camera;
    const way = camera.position.clone().sub(controls.target);
    const sizes = way.toArray().map(Math.abs);
    const axis = sizes.indexOf(Math.max(...sizes)) as 0 | 1 | 2;
    return { axis, at: 0.5, flipped: way.getComponent(axis) < 0 };
  };
  const toggle = () => change(now() ? undefined : towardsEye());
  const button = iconButton(icons.section, 'Section plane (S)', toggle);
  const slide = element('input', { type: 'range', min: '0', max: '1', step: '0.001' });
  slide.setAttribute('aria-label', 'Position of the section');
  let drag: object | undefined;
  slide.addEventListener('input', () => {
    const section = now();
    drag ??= {};
    if (section) change({ ...section, at: slide.valueAsNumber }, drag);
  });
  slide.addEventListener('change', () => {
    drag = undefined;
  });
  const axis = element(
    'select',
    {},
    ...['x', 'y', 'z'].map((name, value) => element('option', { value: String(value) }, name)),
  );
  axis.setAttribute('aria-label', 'Axis of the section');
  axis.addEventListener('change', () => {
    const section = now();
    if (section) change({ ...section, axis: Number(axis.value) as 0 | 1 | 2 });
  });
  const flip = element('button', { type: 'button', class: 'small' }, 'Flip');
  flip.addEventListener('click', () => {
    const section = now();
    if (section) change({ ...section, flipped: !section.flipped });
  });
  const controls = element('div', { class: 'section-controls' }, axis, slide, flip);
  const show = () => {
    const section = now();
    controls.hidden = section === undefined;
    button.setAttribute('aria-pressed', String(section !== undefined));
    if (section === undefined) return;
    axis.value = String(section.axis);
    if (document.activeElement !== slide) slide.value = String(section.at);
  };
  show();
  return { button, controls, toggle, show };
}

/** Measures the distance from the body selected when measuring began to the body selected next. */
function openMeasure({ store, viewer, tasks, work }: Studio, live: Live) {
  let first: number | undefined;
  let isOn = false;
  let measured: string | undefined;
  const readout = element('div', { class: 'measure', aria: { role: 'status' }, data: { testid: 'measure' } });
  const show = () => {
    readout.hidden = !isOn;
    button.setAttribute('aria-pressed', String(isOn));
    if (!isOn) return;
    const nameOf = (id: number | undefined) => store.document.bodies.find(body => body.id === id)?.name;
    const id = store.selected;
    if (nameOf(first) === undefined) first = undefined;
    if (first === undefined && id !== undefined) first = id;
    if (first === undefined) readout.textContent = 'Choose a body to measure from.';
    else if (id === undefined || id === first)
      readout.textContent = `From ${nameOf(first)}: choose another body.`;
    else void measure(first, id, `${nameOf(first)} to ${nameOf(id)}`);
  };
  const measure = async (from: number, to: number, words: string) => {
    const asked = `${from} ${to} ${store.revision}`;
    if (asked === measured) return;
    measured = asked;
    const poses = new Map(store.document.bodies.map(({ id, pose }) => [id, pose]));
    const two = { a: { id: from, pose: poses.get(from)! }, b: { id: to, pose: poses.get(to)! } };
    const found = await work.run('measure', 'Measuring', limits => tasks.distance(two, limits));
    if (found === undefined || measured !== asked) return;
    readout.textContent = `${words}: ${found.distance === 0 ? 'they meet' : shortened(found.distance)}`;
    readout.dataset['distance'] = String(found.distance);
    if (found.distance === 0) return;
    const { origin } = viewer.bodies;
    const ends = Float32Array.from([...found.pointA, ...found.pointB], (value, i) => value - origin[i % 3]);
    viewer.marks.lines(ends, { colour: '#0b62c4' });
    viewer.marks.points(ends, { colour: '#0b62c4', size: viewer.pointSize });
  };
  const toggle = () => {
    isOn = !isOn;
    first = undefined;
    measured = undefined;
    live.choose(undefined);
    show();
  };
  const button = iconButton(icons.measure, 'Measure the distance between two bodies (M)', toggle);
  show();
  return { button, readout, toggle, show };
}
