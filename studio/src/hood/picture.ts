// A flat picture beside the bodies: squares, a legend of their colours, and a text for the square under the pointer.

import { element } from '../parts/element.ts';
import type { FlatPicture } from './types.ts';

/** Pixels of the page. */
const tallest = 340;

export class PictureView {
  readonly element: HTMLElement;
  readonly #canvas = element('canvas', { class: 'hood-canvas', tabIndex: -1 });
  readonly #legend = element('ul', { class: 'hood-legend' });
  readonly #said = element('output', { class: 'hood-said' });
  #picture: FlatPicture | undefined;

  constructor() {
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.addEventListener('pointermove', event => this.#say(event));
    this.#canvas.addEventListener('pointerleave', () => this.#rest());
    this.element = element('figure', { class: 'hood-picture' }, this.#canvas, this.#said, this.#legend);
  }

  show(picture: FlatPicture | undefined): void {
    this.#picture = picture;
    this.element.hidden = picture === undefined;
    if (picture === undefined) return;
    const { columns, rows, label, legend } = picture;
    this.#canvas.width = columns;
    this.#canvas.height = rows;
    this.#canvas.style.aspectRatio = `${columns} / ${rows}`;
    this.#canvas.style.width = `min(100%, ${Math.round((tallest * columns) / rows)}px)`;
    this.#canvas.setAttribute('aria-label', label);
    this.#canvas.getContext('2d', { willReadFrequently: true })!.putImageData(imageOf(picture), 0, 0);
    this.#legend.replaceChildren(
      ...legend.map(({ colour, text }) => {
        const swatch = element('span', { class: 'hood-swatch' });
        swatch.style.background = colour;
        return element('li', {}, swatch, text);
      }),
    );
    this.#rest();
  }

  #rest(): void {
    this.#said.textContent = this.#picture?.label ?? '';
  }

  #say(event: PointerEvent): void {
    if (this.#picture === undefined) return;
    const { columns, rows, mirrored, at } = this.#picture;
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    const column = Math.min(Math.max(Math.floor(((event.clientX - left) / width) * columns), 0), columns - 1);
    const row = Math.min(Math.max(Math.floor(((event.clientY - top) / height) * rows), 0), rows - 1);
    this.#said.textContent = at.call(this.#picture, mirrored ? columns - 1 - column : column, rows - 1 - row);
  }
}

/** Rows from top to bottom, as in a canvas. */
function imageOf({ columns, rows, colours, mirrored }: FlatPicture): ImageData {
  const image = new ImageData(columns, rows);
  const from = new Uint32Array(colours.buffer, colours.byteOffset, columns * rows);
  const to = new Uint32Array(image.data.buffer);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const seen = mirrored ? columns - 1 - column : column;
      to[(rows - 1 - row) * columns + seen] = from[row * columns + column];
    }
  }
  return image;
}
