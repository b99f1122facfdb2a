// The edges of the side panels can be dragged, or moved with the arrow keys: names of parts may be long. The browser
// remembers the widths.

import { element, find } from './element.ts';

const sides = [
  { side: 'left', label: 'Width of the left panel', usual: 280 },
  { side: 'right', label: 'Width of the right panel', usual: 340 },
] as const;
const [least, most] = [200, 640];
/** Pixels per key press. */
const step = 16;

export function openResizing(): void {
  const page = find<HTMLElement>('.page');
  for (const { side, label, usual } of sides) {
    const handle = element('div', {
      class: `resize resize-${side}`,
      tabIndex: 0,
      title: `${label}: drag, or double-click`,
    });
    handle.setAttribute('role', 'separator');
    handle.setAttribute('aria-orientation', 'vertical');
    handle.setAttribute('aria-label', label);
    handle.setAttribute('aria-valuemin', String(least));
    handle.setAttribute('aria-valuemax', String(most));
    const stored = `nearfield-${side}`;
    let width: number = usual;
    const set = (wanted: number) => {
      width = Math.round(Math.min(Math.max(wanted, least), most));
      page.style.setProperty(`--${side}`, `${width}px`);
      handle.setAttribute('aria-valuenow', String(width));
    };
    const keep = () => {
      try {
        localStorage.setItem(stored, String(width));
      } catch {
        // A browser that stores nothing shows the usual width next time.
      }
    };
    let before: number = usual;
    try {
      before = Number(localStorage.getItem(stored) ?? usual) || usual;
    } catch {
      // As above.
    }
    set(before);
    handle.addEventListener('pointerdown', event => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
      handle.focus();
    });
    handle.addEventListener('pointermove', event => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const { left, right } = page.getBoundingClientRect();
      set(side === 'left' ? event.clientX - left : right - event.clientX);
    });
    handle.addEventListener('pointerup', keep);
    handle.addEventListener('dblclick', () => {
      set(usual);
      keep();
    });
    handle.addEventListener('keydown', event => {
      const towards = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (towards === 0) return;
      set(width + (side === 'left' ? towards : -towards) * step);
      keep();
      event.preventDefault();
      event.stopPropagation();
    });
    page.append(handle);
  }
}
