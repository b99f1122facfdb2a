// The section: a plane across the assembly or a box, with a slider, a value in the world's units, and a handle in the
// view that drags it.

import { Vector3 } from 'three/webgpu';
import { element, iconButton } from '../../parts/element.ts';
import { icons } from '../../parts/icons.ts';
import type { Section } from '../../state/document.ts';
import type { Studio } from '../../studio.ts';
import { shortened } from '../review/words.ts';

const axes = ['x', 'y', 'z'] as const;

export function openSection({ store, viewer }: Studio) {
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
  const button = iconButton(icons.section, 'Section (S)', toggle);

  /** A box has six sides; each of them is set like a plane. The list says which. */
  const which = element('select', { aria: { label: 'Which section' } });
  which.append(
    ...axes.map((name, i) => new Option(`plane ${name}`, `plane ${i}`)),
    ...axes.flatMap((name, i) => [
      new Option(`box, from ${name}`, `box ${i}`),
      new Option(`box, to ${name}`, `box ${3 + i}`),
    ]),
  );
  let side = 0;
  which.addEventListener('change', () => {
    const section = now();
    const [kind, number] = which.value.split(' ');
    side = Number(number);
    if (section === undefined) return;
    const { at, flipped } = section;
    if (kind === 'plane') change({ axis: side as 0 | 1 | 2, at, flipped });
    else change({ ...section, box: section.box ?? [0, 0, 0, 1, 1, 1] });
  });
  const axisNow = (section: Section) => (section.box ? side % 3 : section.axis);
  const shareNow = (section: Section) => section.box?.[side] ?? section.at;
  const set = (share: number, merge?: unknown) => {
    const section = now();
    if (section === undefined) return;
    const kept = Math.min(Math.max(share, 0), 1);
    const box = section.box?.map((value, i) => (i === side ? kept : value));
    change(box ? { ...section, box } : { ...section, at: kept }, merge);
  };
  /** Where the section is, in the world, and back. */
  const range = (axis: number): readonly [low: number, size: number] => {
    const { min, max } = viewer.bodies.box();
    const low = min.getComponent(axis) + viewer.bodies.origin[axis];
    return [low, max.getComponent(axis) - min.getComponent(axis) || 1];
  };

  const slide = element('input', { type: 'range', min: '0', max: '1', step: '0.001' });
  slide.setAttribute('aria-label', 'Position of the section');
  let drag: object | undefined;
  slide.addEventListener('input', () => {
    drag ??= {};
    set(slide.valueAsNumber, drag);
  });
  slide.addEventListener('change', () => {
    drag = undefined;
  });
  const value = element('input', { type: 'number', step: 'any', class: 'section-value' });
  value.setAttribute('aria-label', 'Coordinate of the section');
  value.addEventListener('change', () => {
    const section = now();
    if (section && Number.isFinite(value.valueAsNumber)) {
      const [low, size] = range(axisNow(section));
      set((value.valueAsNumber - low) / size);
    }
    show();
  });
  const flip = element('button', { type: 'button', class: 'small' }, 'Flip');
  flip.addEventListener('click', () => {
    const section = now();
    if (section) change({ ...section, flipped: !section.flipped });
  });
  const controls = element('div', { class: 'section-controls' }, which, slide, value, flip);
  const handle = openHandle(set);

  function openHandle(moved: typeof set) {
    const grip = element('span', {
      class: 'section-handle',
      title: 'Drag the section',
      aria: { hidden: 'true' },
    });
    document.querySelector('.view')!.append(grip);
    /** Pixels on the screen per share of the assembly, along the axis. */
    let along = { x: 1, y: 0 };
    const place = () => {
      const section = now();
      grip.hidden = section === undefined;
      if (section === undefined) return;
      const box = viewer.bodies.box();
      const axis = axisNow(section);
      const share = shareNow(section);
      const low = box.min.getComponent(axis);
      const at = (part: number) => {
        const point = box.getCenter(new Vector3());
        point.setComponent(axis, low + part * (box.max.getComponent(axis) - low));
        const { x, y } = point.project(viewer.camera.camera);
        const { clientWidth, clientHeight } = viewer.renderer.domElement;
        return { x: ((x + 1) / 2) * clientWidth, y: ((1 - y) / 2) * clientHeight };
      };
      const [p, q, r] = [at(share), at(share - 0.05), at(share + 0.05)];
      along = { x: (r.x - q.x) / 0.1, y: (r.y - q.y) / 0.1 };
      grip.style.transform = `translate(${p.x}px, ${p.y}px) rotate(${Math.atan2(along.y, along.x)}rad)`;
    };
    let held:
      | { readonly x: number; readonly y: number; readonly share: number; readonly merge: object }
      | undefined;
    grip.addEventListener('pointerdown', event => {
      const section = now();
      if (section === undefined) return;
      grip.setPointerCapture(event.pointerId);
      held = { x: event.clientX, y: event.clientY, share: shareNow(section), merge: {} };
    });
    grip.addEventListener('pointermove', event => {
      if (held === undefined) return;
      const square = along.x ** 2 + along.y ** 2 || 1;
      const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
      moved(held.share + (dx * along.x + dy * along.y) / square, held.merge);
    });
    const release = () => {
      held = undefined;
    };
    grip.addEventListener('pointerup', release);
    grip.addEventListener('pointercancel', release);
    return { place, remove: () => grip.remove() };
  }

  const show = () => {
    const section = now();
    controls.hidden = section === undefined;
    button.setAttribute('aria-pressed', String(section !== undefined));
    handle.place();
    if (section === undefined) return;
    if (!section.box) side = section.axis;
    which.value = `${section.box ? 'box' : 'plane'} ${side}`;
    flip.hidden = section.box !== undefined;
    if (document.activeElement !== slide) slide.value = String(shareNow(section));
    const [low, size] = range(axisNow(section));
    if (document.activeElement !== value) value.value = shortened(low + shareNow(section) * size);
  };
  const stop = viewer.listenDrawn(handle.place);
  show();
  const close = () => {
    stop();
    handle.remove();
  };
  return { button, controls, toggle, show, close };
}
