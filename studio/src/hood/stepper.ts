// Goes through steps with buttons, a slider or the keys ← and →.

import { element, iconButton } from '../parts/element.ts';
import { icons } from '../parts/icons.ts';
import { isTyping } from '../parts/keys.ts';

export class Stepper {
  readonly element: HTMLElement;
  readonly #said = element('output', { class: 'hood-count' });
  readonly #slide = element('input', { type: 'range', min: '0', max: '0', step: '1', value: '0' });
  readonly #back: HTMLButtonElement;
  readonly #on: HTMLButtonElement;
  readonly #changed: (at: number) => void;
  #count = 0;
  #at = 0;

  constructor(changed: (at: number) => void) {
    this.#changed = changed;
    this.#back = iconButton(icons.arrowLeft, 'One step back (←)', () => this.go(this.#at - 1));
    this.#on = iconButton(icons.arrowRight, 'One step forward (→)', () => this.go(this.#at + 1));
    this.#slide.setAttribute('aria-label', 'Step');
    this.#slide.addEventListener('input', () => this.go(this.#slide.valueAsNumber));
    this.element = element('div', { class: 'hood-stepper' }, this.#back, this.#slide, this.#on, this.#said);
    this.#show();
  }

  /** Restarts at the first of this many steps. */
  begin(count: number): void {
    this.#count = count;
    this.#at = 0;
    this.#show();
    if (count > 0) this.#changed(0);
  }

  go(at: number): void {
    const next = Math.min(Math.max(at, 0), this.#count - 1);
    if (this.#count === 0 || next === this.#at) return;
    this.#at = next;
    this.#show();
    this.#changed(next);
  }

  /** Listens to keys until the returned function is called. */
  listen(): () => void {
    const key = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      this.go(this.#at + (event.key === 'ArrowRight' ? 1 : -1));
      event.preventDefault();
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }

  #show(): void {
    this.element.hidden = this.#count === 0;
    this.#slide.max = String(Math.max(this.#count - 1, 0));
    this.#slide.value = String(this.#at);
    this.#said.textContent = `${this.#at + 1} of ${this.#count}`;
    this.#back.disabled = this.#at === 0;
    this.#on.disabled = this.#at >= this.#count - 1;
    this.element.dataset['step'] = String(this.#at);
    this.element.dataset['count'] = String(this.#count);
  }
}
