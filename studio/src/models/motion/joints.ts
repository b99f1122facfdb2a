// The joints of the robots among the files, as sliders and numbers. They follow the frame of a motion and what is undone.

import type { RobotJoint } from '@nearfield/io';
import type { FileData } from '../../engine/types.ts';
import { element } from '../../parts/element.ts';
import { longName } from '../../parts/long-name.ts';
import type { Studio } from '../../studio.ts';
import { robotsOf, withJoints } from './robots.ts';

const isSettable = ({ type, mimic }: RobotJoint): boolean =>
  (type === 'revolute' || type === 'continuous' || type === 'prismatic') && !mimic;

export function openJoints({ store }: Studio, left: HTMLElement): () => void {
  const host = element('details', { class: 'joints', data: { testid: 'joints' } });
  left.append(host);
  let shown: readonly FileData[] | undefined;
  let rows: (JointRow & { readonly file: string; readonly name: string })[] = [];
  const show = () => {
    const { files, joints } = store.document;
    if (files !== shown) {
      shown = files;
      const robots = robotsOf(store.document);
      host.hidden = robots.length === 0;
      rows = robots.flatMap(({ file, robot }) =>
        robot.joints.filter(isSettable).map(joint => {
          const { name } = joint;
          return { file, name, ...jointRow(joint, value => set(file, name, value)) };
        }),
      );
      host.replaceChildren(
        element('summary', {}, 'Joints'),
        ...rows.map(row => row.host),
        element('p', { class: 'hint' }, 'Drop a JSON file of joint values to see them as a motion.'),
      );
    }
    for (const row of rows) row.show(joints[row.file]?.[row.name] ?? 0);
  };
  let drag: object | undefined;
  const set = (file: string, name: string, value: number | undefined) => {
    if (value === undefined) {
      drag = undefined;
      return;
    }
    const { document } = store;
    const own = robotsOf(document).find(robot => robot.file === file);
    if (own === undefined) return;
    drag ??= {};
    store.change(
      `joint ${name}`,
      withJoints(document, own, { ...document.joints[file], [name]: value }),
      drag,
    );
  };
  const stop = store.listen(show);
  show();
  return stop;
}

interface JointRow {
  readonly host: HTMLElement;
  /** In radians or metres. */
  show(value: number): void;
}

/** `set` gets the value in radians or metres, and undefined when a drag ends. */
function jointRow(
  { name, type, lower, upper }: RobotJoint,
  set: (value: number | undefined) => void,
): JointRow {
  const slides = type === 'prismatic';
  // People think in degrees.
  const shownPer = slides ? 1 : 180 / Math.PI;
  const digits = slides ? 3 : 1;
  const [low, high] = type === 'continuous' ? [-Math.PI, Math.PI] : [lower ?? -Math.PI, upper ?? Math.PI];
  const slide = element('input', { type: 'range', min: String(low), max: String(high), step: 'any' });
  slide.setAttribute('aria-label', `Joint ${name}`);
  slide.addEventListener('input', () => set(slide.valueAsNumber));
  slide.addEventListener('change', () => set(undefined));
  const field = element('input', { type: 'number', step: 'any' });
  field.setAttribute('aria-label', `Joint ${name}, in ${slides ? 'metres' : 'degrees'}`);
  field.addEventListener('change', () => {
    if (Number.isFinite(field.valueAsNumber)) set(field.valueAsNumber / shownPer);
    set(undefined);
  });
  const host = element(
    'div',
    { class: 'joint' },
    element('span', { class: 'name', title: name }, ...longName(name)),
    slide,
    field,
    element('span', { class: 'unit', aria: { hidden: 'true' } }, slides ? 'm' : '°'),
  );
  return {
    host,
    show(value) {
      const text = (value * shownPer).toFixed(digits);
      if (slide.valueAsNumber !== value) slide.value = String(value);
      if (field.value !== text && document.activeElement !== field) field.value = text;
    },
  };
}
