// A motion on a timeline: the frames of a file of poses or of joint values. Marked on it are the clashes of each frame, and the
// times at which pairs first meet, also between frames.

import type { BodyId, MotionContact } from '../../engine/types.ts';
import { element, iconButton } from '../../parts/element.ts';
import { icons } from '../../parts/icons.ts';
import {
  assemblyOf,
  atFrame,
  type DocumentMotion,
  placedIn,
  type StudioDocument,
} from '../../state/document.ts';
import type { Studio } from '../../studio.ts';
import { jointPathsOf } from './robots.ts';

/** Milliseconds per frame while it plays. */
const pace = 100;

/** Milliseconds without a change before the motion is checked again. */
const recheckDelay = 300;

export function openTimeline(studio: Studio): () => void {
  const { store, tasks, work } = studio;
  const view = document.querySelector('.view')!;
  const slide = element('input', { type: 'range', min: '0', step: '1', value: '0' });
  slide.setAttribute('aria-label', 'Frame');
  const marks = element('div', { class: 'marks', aria: { hidden: 'true' } });
  const meetings = element('div', { class: 'meetings', aria: { hidden: 'true' } });
  const words = element('span', { class: 'hint', aria: { role: 'status' }, data: { testid: 'frame' } });
  const meeting = element('p', { class: 'hint', aria: { role: 'status' }, data: { testid: 'meeting' } });
  const play = iconButton(icons.play, 'Play', () => setPlaying(timer === undefined));
  const close = iconButton(icons.close, 'Remove the motion', () =>
    store.change('remove the motion', { ...store.document, motion: undefined }),
  );
  const previous = iconButton(icons.arrowLeft, 'The previous frame with clashes', () => goToClash(-1));
  const next = iconButton(icons.arrowRight, 'The next frame with clashes', () => goToClash(1));
  const bar = element(
    'div',
    { class: 'timeline', aria: { role: 'group', label: 'Motion' } },
    play,
    previous,
    element('div', { class: 'track' }, slide, marks, meetings),
    next,
    words,
    close,
    meeting,
  );
  view.append(bar);
  let shown: DocumentMotion | undefined;
  /** The document that the marks were computed from. */
  let asked: StudioDocument | undefined;
  /** The bodies that the motion places. */
  let moving: ReadonlySet<BodyId> = new Set();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let failing: Uint32Array | undefined;
  let contacts: readonly MotionContact[] | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let drag: object | undefined;
  /** The frame that the words are about. */
  let told: number | undefined;

  const go = (frame: number) => {
    drag ??= {};
    store.change(`frame ${frame}`, atFrame(store.document, frame), drag);
  };
  slide.addEventListener('input', () => go(slide.valueAsNumber));
  slide.addEventListener('change', () => {
    drag = undefined;
  });
  const setPlaying = (isOn: boolean) => {
    clearInterval(timer);
    timer = isOn
      ? setInterval(() => go((slide.valueAsNumber + 1) % (shown?.frames.length ?? 1)), pace)
      : undefined;
    if (!isOn) drag = undefined;
    play.innerHTML = isOn ? icons.pause : icons.play;
    play.setAttribute('aria-label', isOn ? 'Pause' : 'Play');
  };
  const goToClash = (by: 1 | -1) => {
    let frame = slide.valueAsNumber + by;
    while (failing && frame >= 0 && frame < failing.length && failing[frame] === 0) frame += by;
    if (failing && frame >= 0 && frame < failing.length) go(frame);
    drag = undefined;
  };
  const tell = () => {
    const { frame } = store.document;
    told = frame;
    const found = failing ? `, ${failing[frame]} clash${failing[frame] === 1 ? '' : 'es'}` : '';
    words.textContent = `Frame ${frame} of ${(shown?.frames.length ?? 1) - 1}${found}`;
    meeting.textContent = contacts ? meetingInWords(contacts, store.document) : '';
  };
  const forget = () => {
    clearTimeout(waiting);
    work.cancel('motion');
    failing = undefined;
    contacts = undefined;
    marks.replaceChildren();
    meetings.replaceChildren();
    asked = store.document;
  };
  const check = async (motion: DocumentMotion) => {
    const assembly = assemblyOf(store.document);
    const joints = jointPathsOf(store.document, motion);
    const frames = motion.frames.map(placedIn);
    const found = await work.run('motion', 'Checking the motion', limits =>
      tasks.motion({ assembly, frames }, limits),
    );
    if (found === undefined || shown !== motion) return;
    failing = found;
    const most = Math.max(...found, 1);
    marks.replaceChildren(
      ...Array.from(found, (count, frame) => {
        const mark = element('span', { data: { frame: String(frame), clashes: String(count) } });
        mark.style.left = `${(100 * frame) / Math.max(found.length - 1, 1)}%`;
        mark.style.height = `${(100 * count) / most}%`;
        return mark;
      }),
    );
    tell();
    const met = await work.run('motion', 'Looking between the frames', limits =>
      tasks.contacts({ assembly, frames, joints }, limits),
    );
    if (met === undefined || shown !== motion) return;
    contacts = met;
    meetings.replaceChildren(
      ...met.map(({ time, certain }) => {
        const mark = element('span', { data: { time: String(time), certain: String(certain) } });
        mark.style.left = `${(100 * time) / Math.max(found.length - 1, 1)}%`;
        return mark;
      }),
    );
    tell();
  };
  const show = () => {
    const { motion, frame } = store.document;
    bar.hidden = motion === undefined;
    if (motion === shown) {
      if (motion === undefined) return;
      if (asked !== undefined && !isSameQuestion(asked, store.document, moving)) {
        forget();
        tell();
        // A drag changes the document many times.
        waiting = setTimeout(() => void check(motion), recheckDelay);
      }
      if (frame === told) return;
      slide.value = String(frame);
      tell();
      return;
    }
    shown = motion;
    setPlaying(false);
    forget();
    if (motion === undefined) return;
    moving = new Set(motion.frames[0].keys());
    slide.max = String(motion.frames.length - 1);
    slide.value = String(frame);
    tell();
    void check(motion);
  };
  const stop = store.listen(show);
  show();
  return () => {
    stop();
    clearTimeout(waiting);
    clearInterval(timer);
    bar.remove();
  };
}

/** Whether a motion has the same clashes and contacts in both documents. The frame that is shown does not matter. */
function isSameQuestion(one: StudioDocument, other: StudioDocument, moving: ReadonlySet<BodyId>): boolean {
  return (
    one.unit === other.unit &&
    one.clearance === other.clearance &&
    one.tolerance === other.tolerance &&
    one.rules === other.rules &&
    one.bodies.length === other.bodies.length &&
    one.bodies.every(({ id, pose }, i) => {
      const now = other.bodies[i];
      return id === now.id && (pose === now.pose || moving.has(id));
    })
  );
}

/** The first contact between the frame that is shown and the next. If there is none, the first of the whole motion. */
function meetingInWords(contacts: readonly MotionContact[], { bodies, frame }: StudioDocument): string {
  if (contacts.length === 0) return 'No checked pair meets during the motion';
  const here = contacts.filter(({ time }) => time >= frame && time < frame + 1);
  const [first] = here.length > 0 ? here : contacts;
  const nameOf = (id: BodyId) => bodies.find(body => body.id === id)?.name ?? 'a removed body';
  const more = here.length - 1;
  const others =
    more > 0 ? `, then ${more} other ${more === 1 ? 'pair' : 'pairs'} before frame ${frame + 1}` : '';
  const meet = first.certain ? 'first meet' : 'may first meet';
  return `${nameOf(first.a)} and ${nameOf(first.b)} ${meet} at frame ${Number(first.time.toFixed(3))}${others}`;
}
