// Words at places of the view: lengths beside what they measure. The lists of the page say the same.

import { type Camera, Vector3 } from 'three/webgpu';
import { element } from '../parts/element.ts';

export interface Label {
  /** In drawn coordinates. */
  readonly at: readonly number[];
  readonly text: string;
  readonly colour: string;
}

export class Labels {
  readonly element = element('div', { class: 'labels', aria: { hidden: 'true' } });
  #shown: readonly { readonly at: Vector3; readonly words: HTMLElement }[] = [];
  readonly #invalidate: () => void;

  constructor(invalidate: () => void) {
    this.#invalidate = invalidate;
  }

  show(labels: readonly Label[]): void {
    this.#shown = labels.map(({ at, text, colour }) => {
      const words = element('span', { class: 'label' }, text);
      words.style.setProperty('--own', colour);
      return { at: new Vector3(at[0], at[1], at[2]), words };
    });
    this.element.replaceChildren(...this.#shown.map(({ words }) => words));
    this.#invalidate();
  }

  /** Called with every frame. */
  follow(camera: Camera, width: number, height: number): void {
    for (const { at, words } of this.#shown) {
      const { x, y, z } = at.clone().project(camera);
      words.hidden = z > 1 || Math.abs(x) > 1.5 || Math.abs(y) > 1.5;
      // A little outside of the view, it stays readable at its rim.
      const [across, down] = [((x + 1) / 2) * width, ((1 - y) / 2) * height];
      const left = Math.min(Math.max(across, 4), width - words.offsetWidth - 18);
      const top = Math.min(Math.max(down, 14), height - 14);
      words.style.transform = `translate(${left}px, ${top}px)`;
    }
  }
}
