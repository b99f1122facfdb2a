// The tab "Scenes": choose a scene, set it, watch it, and compare its times with those of its paper.

import { playSamples } from '@nearfield/samples';
import { PictureView } from '../hood/picture.ts';
import { element, iconButton } from '../parts/element.ts';
import { icons } from '../parts/icons.ts';
import { isTyping } from '../parts/keys.ts';
import type { Panel, Studio } from '../studio.ts';
import { chartOf, scrubberOf } from './chart.ts';
import { pictureOf } from './draw/maps.ts';
import { sceneList } from './list.ts';
import { Player } from './player.ts';
import type { Control, Found, Key, SceneInfo, Settings } from './types.ts';

/** The displayed time is the median of this many steps. */
const remembered = 60;

export const scenes: Panel = {
  open(studio, left, right) {
    let close: (() => void) | undefined;
    const list = element('div', { class: 'scene-list', aria: { role: 'listbox', label: 'Scenes' } });
    left.append(element('h2', {}, 'Scenes'), list);
    const show = (info: SceneInfo, given: Settings) => {
      close?.();
      right.replaceChildren();
      for (const item of list.children) {
        item.setAttribute('aria-selected', String((item as HTMLElement).dataset['scene'] === info.name));
      }
      close = openScene(studio, { ...info, controls: setTo(info.controls, given) }, right);
    };
    for (const info of sceneList) {
      const onclick = () => {
        location.hash = `scenes=${info.name}`;
      };
      list.append(
        element(
          'button',
          { type: 'button', class: 'scene', onclick, data: { scene: info.name }, aria: { role: 'option' } },
          info.title,
        ),
      );
    }
    const follow = () => {
      const { tab, name, settings } = fromAddress(location.hash);
      if (tab === 'scenes') show(sceneList.find(info => info.name === name) ?? sceneList[0], settings);
    };
    addEventListener('hashchange', follow);
    follow();
    return () => {
      removeEventListener('hashchange', follow);
      close?.();
    };
  },
};

/** `#scenes=boxes&count=500&turning=false`: a scene and its settings. */
function fromAddress(hash: string): { tab: string; name: string | undefined; settings: Settings } {
  const [first, ...rest] = hash.slice(1).split('&');
  const [tab, name] = first.split('=');
  const settings = Object.fromEntries(new URLSearchParams(rest.join('&')));
  return { tab, name, settings };
}

/** Controls with the values of the address, if those are valid. */
function setTo(controls: readonly Control[], given: Settings): Control[] {
  return controls.map(control => {
    const { name, range } = control;
    if (given[name] === undefined) return control;
    if (range === undefined) return { ...control, value: given[name] === 'true' };
    const value = Math.min(Math.max(Number(given[name]), range[0]), range[1]);
    return Number.isNaN(value) ? control : { ...control, value };
  });
}

function openScene(studio: Studio, info: SceneInfo, right: HTMLElement): () => void {
  let settings: Settings = Object.fromEntries(info.controls.map(({ name, value }) => [name, value]));
  let times: number[] = [];
  let player: Player | undefined;
  const facts = element('dl', { class: 'facts', data: { testid: 'facts' } });
  const timing = element('dl', { class: 'facts', data: { testid: 'timing' } });
  const number = element('p', { class: 'look', data: { testid: 'look' } });
  const note = element('p', { class: 'hint', hidden: true, data: { testid: 'note' } });
  const charts = element('div', { class: 'charts' });
  const picture = new PictureView();
  picture.show(undefined);
  const set = (name: string, value: number | string | boolean) => {
    settings = { ...settings, [name]: value };
    player?.set(settings);
  };
  const which = mapChoice(value => set('map', value));
  const play = iconButton(icons.play, 'Play (Space)', () => toggle());
  const showPlaying = () => {
    play.innerHTML = player?.isPlaying ? icons.pause : icons.play;
    play.title = player?.isPlaying ? 'Pause (Space)' : 'Play (Space)';
    play.setAttribute('aria-label', play.title);
    document.body.dataset['resting'] = 'false';
  };
  const showResting = () => {
    document.body.dataset['resting'] = String(!player?.isPlaying);
  };
  const toggle = () => {
    if (player?.isPlaying) void player.pause().then(showResting);
    else player?.play();
    showPlaying();
  };
  const told = (found: Found) => {
    times = [...times, found.time].slice(-remembered);
    showFound(found);
    scrubber.max = String(player!.history.length - 1);
    scrubber.value = scrubber.max;
    showCharts(player!.history.length - 1);
    sound?.play(found);
    document.body.dataset['steps'] = String(Number(document.body.dataset['steps'] ?? 0) + 1);
  };
  const lookedAt = ({ facts: list }: Found) =>
    (list.find(([label]) => label === info.look) ?? list[0] ?? [info.look, 0]) as readonly [string, number];
  const showFound = (found: Found) => {
    const [label, value] = lookedAt(found);
    number.replaceChildren(element('strong', {}, amount(value)), ` ${label}`);
    facts.replaceChildren(...found.facts.flatMap(([label, value]) => row(label, amount(value))));
    timing.replaceChildren(...timingRows(info, found, times, settings));
    which.show(found);
    picture.show(found.map && pictureOf(found.map));
    note.textContent = found.note ?? '';
    note.hidden = found.note === undefined;
  };
  const showCharts = (at: number) => {
    const { history } = player!;
    const values = history.map(({ found }) => lookedAt(found)[1]);
    const spent = history.map(({ found }) => found.time);
    charts.replaceChildren(
      chartOf({ label: lookedAt(history.at(at)!.found)[0], values }, at, amount),
      chartOf({ label: 'milliseconds', values: spent }, at, milliseconds),
    );
  };
  const scrubber = scrubberOf(index => {
    void player?.back(index).then(() => {
      const past = player?.history.at(index);
      if (past === undefined) return;
      showFound(past.found);
      showCharts(index);
      document.body.dataset['back'] = String(past.number);
      showPlaying();
      showResting();
    });
  });
  const restart = () => {
    player?.close();
    times = [];
    const next = new Player(studio, info, settings, told);
    player = next;
    document.body.dataset['steps'] = '0';
    void studio.work
      .run('scene', `Making ${info.title.toLowerCase()}`, limits =>
        untilCancelled(next.start(limits), limits.signal),
      )
      .then(() => {
        if (player === next && document.body.dataset['steps'] !== '0') next.play();
        showPlaying();
      });
  };
  const sound = info.sounds ? openSound(isOn => set('sound', isOn)) : undefined;
  const controls = info.controls.map(control =>
    controlOf(control, value => {
      set(control.name, value);
      if (!control.live) restart();
    }),
  );
  right.append(
    element('h2', {}, info.title),
    element('p', { class: 'sentence' }, info.sentence),
    element('p', { class: 'hint paper' }, paperLink(info), ` ${info.paper.authors} (${info.paper.year}).`),
    number,
    element(
      'div',
      { class: 'row' },
      play,
      iconButton(icons.arrowRight, 'One step', () => void player?.step()),
      iconButton(icons.restart, 'From the beginning', restart),
    ),
    // Stones that the GPU moves are not kept.
    ...(info.name === 'hail' ? [] : [scrubber]),
    charts,
    ...controls,
    ...(sound ? [sound.control] : []),
    ...(info.withoutGpu && !studio.device ? [element('p', { class: 'hint' }, info.withoutGpu)] : []),
    keyList(info.keys),
    timing,
    facts,
    note,
    which.element,
    picture.element,
    ...(info.hood
      ? [
          element(
            'a',
            { class: 'hint', href: `#hood=${info.hood}` },
            'Step through its method under the hood',
          ),
        ]
      : []),
    element('p', { class: 'hint' }, `In the paper: ${info.paper.figure}.`),
  );
  const key = (event: KeyboardEvent) => {
    if (event.key !== ' ' || isTyping(event.target) || event.target instanceof HTMLButtonElement) return;
    toggle();
    event.preventDefault();
  };
  addEventListener('keydown', key);
  restart();
  return () => {
    removeEventListener('keydown', key);
    // A scene that is still being created ends with its worker and reports nothing.
    studio.work.cancel('scene');
    player?.close();
    sound?.close();
  };
}

/** The paper's title, which leads to where it is found. */
const paperLink = ({ paper: { title } }: SceneInfo): HTMLElement =>
  element(
    'a',
    {
      href: `https://scholar.google.com/scholar?q=${encodeURIComponent(`"${title}"`)}`,
      ...{ target: '_blank', rel: 'noopener noreferrer' },
    },
    title,
  );

/** A switch, initially off: browsers play no sound before the user asks for it. */
function openSound(switched: (isOn: boolean) => void) {
  const rate = 44_100;
  let context: AudioContext | undefined;
  let end = 0;
  const box = element('input', { type: 'checkbox' });
  const close = () => {
    void context?.close();
    context = undefined;
  };
  box.addEventListener('change', () => {
    close();
    if (box.checked) context = new AudioContext({ sampleRate: rate });
    end = 0;
    switched(box.checked);
  });
  return {
    control: element('label', {}, box, 'sound'),
    play({ sound }: Found) {
      if (context && sound) end = playSamples(context, sound, rate, end);
    },
    close,
  };
}

/** Rejects at once when cancelled, whatever happens to the work. */
function untilCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), {
      once: true,
    });
    work.then(resolve, reject);
  });
}

function timingRows(
  { paper }: SceneInfo,
  { backend, time, facts }: Found,
  times: readonly number[],
  settings: Settings,
): HTMLElement[] {
  const median = [...times].sort((a, b) => a - b)[times.length >> 1];
  const rows = [
    ...row('this question', `${milliseconds(time)}, ${backend === 'gpu' ? 'on the GPU' : 'on the CPU'}`),
    ...row(`median of ${times.length}`, milliseconds(median)),
  ];
  if (paper.milliseconds) {
    const [low, high] = paper.milliseconds;
    const isAsLarge = Object.entries(paper.settings ?? {}).every(([name, value]) => settings[name] === value);
    const theirs = low === high ? `${low} ms` : `${low} to ${high} ms`;
    const points = Number(new Map(facts).get('penetrating points') ?? Infinity);
    const isAsMany = points >= (paper.points ?? 0);
    const said = !isAsLarge
      ? `${theirs}, with other settings`
      : isAsMany
        ? theirs
        : `${theirs}, of ${amount(paper.points!)} points`;
    rows.push(...row(`paper, ${paper.year}`, said));
    if (isAsLarge && isAsMany) rows.push(...row('times faster', amount(low / median)));
  } else rows.push(...row(`paper, ${paper.year}`, 'gives no time'));
  return rows;
}

/** The legend of the colours. */
function keyList(keys: readonly Key[]): HTMLElement {
  const items = keys.map(({ colour, text }) => {
    const swatch = element('span', { class: 'hood-swatch' });
    swatch.style.background = colour;
    return element('li', {}, swatch, text);
  });
  return element('ul', { class: 'hood-legend', hidden: keys.length === 0 }, ...items);
}

/** Chooses whose impact map to show, if there are several: the object with the most hits, or a chosen one. */
function mapChoice(chosen: (name: string) => void): { element: HTMLElement; show(found: Found): void } {
  const list = element('select', { aria: { label: 'impact map' } });
  list.addEventListener('change', () => chosen(list.value));
  const whole = element('label', { class: 'control', hidden: true }, element('span', {}, 'impact map'), list);
  return {
    element: whole,
    show({ map }) {
      if (map?.kind !== 'impacts') return;
      whole.hidden = false;
      if (list.options.length > 0) return;
      list.append(new Option('object with most hits', ''), ...map.names.map(name => new Option(name, name)));
    },
  };
}

function controlOf(control: Control, changed: (value: number | boolean) => void): HTMLElement {
  const { label, range, value } = control;
  if (typeof value === 'boolean') {
    const box = element('input', { type: 'checkbox', checked: value });
    box.addEventListener('change', () => changed(box.checked));
    return element('label', {}, box, label);
  }
  const said = element('output', {}, value.toLocaleString('en'));
  const [low, high, step] = range!;
  const slide = element('input', { type: 'range' });
  // In this order: a range input clamps its value to its current limits.
  Object.assign(slide, { min: String(low), max: String(high), step: String(step), value: String(value) });
  slide.setAttribute('aria-label', label);
  slide.addEventListener('input', () => {
    said.textContent = slide.valueAsNumber.toLocaleString('en');
  });
  slide.addEventListener('change', () => changed(slide.valueAsNumber));
  return element('label', { class: 'control' }, element('span', {}, label), slide, said);
}

const row = (label: string, value: string) => [element('dt', {}, label), element('dd', {}, value)];
const milliseconds = (value: number): string =>
  `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)} ms`;

function amount(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en');
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}
