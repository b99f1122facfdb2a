// The tab "Under the hood": two bodies, a method, and its steps.

import type { BodyId, Limits } from '../engine/types.ts';
import { element } from '../parts/element.ts';
import type { Panel, Studio } from '../studio.ts';
import { litColours } from './colours.ts';
import { DrawnPair } from './drawn.ts';
import { HoodEngines } from './engines.ts';
import { type MethodName, methodList } from './methods/list.ts';
import { modelsChoice, modelsPair } from './models-pair.ts';
import { PictureView } from './picture.ts';
import { Stepper } from './stepper.ts';
import type { MakeStep, PairName, StepView, Two } from './types.ts';

const pairList: readonly { readonly name: PairName; readonly title: string }[] = [
  { name: 'rotating', title: 'Rotating pair' },
  { name: 'tori', title: 'Two rings' },
  { name: 'heart', title: 'Beating heart' },
  { name: 'bunnies', title: 'Two rabbits' },
  { name: 'jaws', title: 'Jaws, closed' },
];

type PairChoice = PairName | 'models';

export const hood: Panel = {
  open(studio, left, right) {
    const page = new Hood(studio, left, right);
    const follow = () => {
      const [tab, method, pair, ...named] = location.hash.slice(1).split(/[=/]/);
      if (tab === 'hood') page.show(method, pair, named);
    };
    addEventListener('hashchange', follow);
    follow();
    return () => {
      removeEventListener('hashchange', follow);
      page.close();
    };
  },
};

class Hood {
  readonly #studio: Studio;
  readonly #engines: HoodEngines;
  readonly #stepper = new Stepper(at => this.#step(at));
  readonly #picture = new PictureView();
  readonly #title = element('h2', {});
  readonly #sentence = element('p', { class: 'sentence hood-sentence', aria: { live: 'polite' } });
  readonly #facts = element('dl', { class: 'facts' });
  /** The highlighted triangles of the view. */
  readonly #keys = element('ul', { class: 'hood-legend', hidden: true }, ...litColours.map(litKey));
  readonly #paper = element('p', { class: 'hint' });
  readonly #lists: HTMLElement;
  readonly #unlisten: () => void;
  #drawn: DrawnPair | undefined;
  /** The pair that is shown. */
  #pair: { readonly choice: PairChoice; readonly two: Two } | undefined;
  #steps: readonly MakeStep[] = [];
  #wanted = '';
  /** The pair of the user's models. */
  #models: readonly [BodyId, BodyId] | undefined;

  constructor(studio: Studio, left: HTMLElement, right: HTMLElement) {
    this.#studio = studio;
    this.#engines = new HoodEngines(studio.device);
    this.#lists = element('div', { class: 'hood-lists' });
    left.append(this.#lists);
    right.append(
      this.#title,
      this.#stepper.element,
      this.#sentence,
      this.#keys,
      this.#facts,
      this.#picture.element,
      this.#paper,
    );
    this.#unlisten = this.#stepper.listen();
    studio.viewer.camera.setUp('z');
  }

  /** `named` has the numbers of two bodies, if the pair is one of the user's models. */
  show(method: string | undefined, pair: string | undefined, named: readonly string[] = []): void {
    const info = methodList.find(({ name }) => name === method) ?? methodList[0];
    const hasModels = this.#studio.store.document.bodies.length > 1;
    const known: readonly PairChoice[] = [
      ...pairList.map(({ name }) => name),
      ...(hasModels ? (['models'] as const) : []),
    ];
    const choice = known.find(name => name === pair) ?? 'rotating';
    this.#models = hasModels ? modelsChoice(this.#studio, [named[0], named[1]]) : undefined;
    this.#showLists(info.name, choice);
    this.#title.textContent = info.title;
    const isByCpu = info.needsGpu && this.#studio.device === undefined;
    this.#paper.textContent = `${info.sentence} ${info.paper}.${isByCpu ? ` ${withoutGpu}` : ''}`;
    const wanted = `${info.name}/${choice} ${this.#models}`;
    this.#wanted = wanted;
    this.#clear();
    void this.#studio.work
      .run('hood', `Looking under the hood: ${info.title.toLowerCase()}`, async limits => {
        const two = await this.#twoOf(choice, limits);
        if (this.#wanted !== wanted) return;
        return this.#engines.steps(two, info.name, limits);
      })
      .then(steps => {
        if (steps === undefined || this.#wanted !== wanted) return;
        this.#steps = steps;
        this.#stepper.begin(steps.length);
      });
  }

  close(): void {
    this.#wanted = '';
    this.#unlisten();
    this.#engines.close();
    this.#drawn?.close();
  }

  async #twoOf(choice: PairChoice, limits: Limits): Promise<Two> {
    if (this.#pair?.choice === choice && choice !== 'models') return this.#pair.two;
    const two =
      choice === 'models'
        ? modelsPair(this.#studio, this.#models!)
        : await this.#engines.prepare(choice, limits);
    this.#pair = { choice, two };
    this.#drawn?.close();
    this.#drawn = new DrawnPair(this.#studio.viewer, two);
    this.#drawn.fit();
    return two;
  }

  #clear(): void {
    this.#steps = [];
    this.#stepper.begin(0);
    this.#picture.show(undefined);
    this.#sentence.textContent = '';
    this.#facts.replaceChildren();
    this.#keys.hidden = true;
    this.#drawn?.show({ sentence: '', facts: [] });
  }

  #step(at: number): void {
    const view: StepView = this.#steps[at]();
    this.#sentence.textContent = view.sentence;
    this.#facts.replaceChildren(
      ...view.facts.flatMap(([label, value]) => [
        element('dt', {}, label),
        element('dd', {}, typeof value === 'number' ? value.toLocaleString('en') : value),
      ]),
    );
    this.#keys.hidden = view.lit === undefined;
    this.#picture.show(view.picture);
    this.#drawn?.show(view);
  }

  /** Two lists of the user's bodies. */
  #bodyChoices(method: MethodName, [a, b]: readonly [BodyId, BodyId]): HTMLElement {
    const { bodies } = this.#studio.store.document;
    const [p, q] = [a, b].map(id => bodies.findIndex(body => body.id === id));
    const choice = (label: string, own: number, to: (at: string) => string) => {
      const field = element('select', {});
      field.setAttribute('aria-label', label);
      field.append(...bodies.map(({ name }, i) => new Option(name, String(i), i === own, i === own)));
      field.addEventListener('change', () => {
        location.hash = `hood=${method}/models/${to(field.value)}`;
      });
      return field;
    };
    return element(
      'div',
      { class: 'row hood-own' },
      choice('Body A', p, at => `${at}/${q}`),
      choice('Body B', q, at => `${p}/${at}`),
    );
  }

  #showLists(method: MethodName, choice: PairChoice): void {
    const item = (title: string, to: string, isChosen: boolean, hint?: string) =>
      element(
        'button',
        {
          type: 'button',
          class: 'scene',
          onclick: () => {
            location.hash = `hood=${to}`;
          },
          data: { to },
          aria: { role: 'option', selected: String(isChosen) },
        },
        element('span', {}, title),
        hint !== undefined && element('span', { class: 'hint' }, hint),
      );
    const pairs = [
      ...pairList.map(({ name, title }) => item(title, `${method}/${name}`, name === choice)),
      ...(this.#models ? [item('Your models', `${method}/models`, choice === 'models')] : []),
    ];
    const own = location.hash
      .split('/')
      .slice(2)
      .map(each => `/${each}`)
      .join('');
    const methods = methodList.map(({ name, title, sentence }) =>
      item(title, `${name}/${choice}${choice === 'models' ? own : ''}`, name === method, sentence),
    );
    const focused = [...this.#lists.querySelectorAll('button')].indexOf(
      document.activeElement as HTMLButtonElement,
    );
    this.#lists.replaceChildren(
      element('h2', {}, 'Under the hood'),
      element('p', { class: 'hint' }, 'How a method finds its answer, step by step.'),
      element('h3', {}, 'Method'),
      element('div', { class: 'scene-list', aria: { role: 'listbox', label: 'Method' } }, ...methods),
      element('h3', {}, 'Bodies'),
      element('div', { class: 'scene-list', aria: { role: 'listbox', label: 'Bodies' } }, ...pairs),
      ...(choice === 'models' && this.#models ? [this.#bodyChoices(method, this.#models)] : []),
      element(
        'p',
        { class: 'hint hood-names' },
        swatch('a'),
        'A ',
        swatch('b'),
        'B   ← and → go from step to step.',
      ),
    );
    if (focused >= 0) this.#lists.querySelectorAll('button')[focused]?.focus();
  }
}

function litKey(colour: string, side: number): HTMLElement {
  const shown = element('span', { class: 'hood-swatch' });
  shown.style.background = colour;
  return element('li', {}, shown, `highlighted: triangles of ${'AB'[side]}`);
}

const swatch = (body: 'a' | 'b') => element('span', { class: `hood-swatch ${body}` });

const withoutGpu =
  'The method draws on a GPU. This browser has no WebGPU or only a software adapter, so the CPU draws the same pictures here, from the same bodies. Add “?engine=gpu” to the address to draw with the software adapter, slowly.';
