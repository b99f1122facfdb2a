// The clash under the pointer, of all those that are drawn: its names and its depth beside the pointer; a click chooses it.

import { Matrix4, Vector3 } from 'three/webgpu';
import type { Touched } from '../../engine/review/types.ts';
import { element } from '../../parts/element.ts';
import type { Studio } from '../../studio.ts';
import type { Live } from '../live.ts';
import { amountOf, relationOf } from '../review/words.ts';
import type { PairTable } from '../table.ts';
import { nearestSegment } from './nearest-segment.ts';

/** Pixels from the pointer. */
const reach = 6;

export interface PointedClashes {
  /** What is drawn now. */
  show(drawn: (Touched & { readonly table: PairTable }) | undefined): void;
  /** Chooses the clash at a point of the page. Returns whether there is one. */
  choose(x: number, y: number): boolean;
  close(): void;
}

export function openPointed({ viewer, store }: Studio, live: Live): PointedClashes {
  const canvas = viewer.renderer.domElement;
  const words = element('div', { class: 'pointed', hidden: true, aria: { hidden: 'true' } });
  canvas.after(words);
  let drawn: (Touched & { readonly table: PairTable }) | undefined;

  const rowAt = (x: number, y: number): number => {
    if (drawn === undefined || drawn.table !== live.table || live.chosen) return -1;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const { camera } = viewer.camera;
    const hit = viewer.hit(x, y);
    // Curves lie on what the pointer meets, or a little before or behind it.
    const ahead = camera.getWorldDirection(new Vector3());
    const away = hit ? new Vector3(...hit.point).sub(camera.position).dot(ahead) : Infinity;
    const view = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const pointer = { x: x - left, y: y - top, width, height };
    const found = nearestSegment(drawn.segments, view, pointer, reach, 1.02 * away);
    return found < 0 ? -1 : drawn.rows[found];
  };
  let wanted: { readonly x: number; readonly y: number } | undefined;
  const look = () => {
    const at = wanted;
    wanted = undefined;
    const row = at === undefined ? -1 : rowAt(at.x, at.y);
    canvas.classList.toggle('points', row >= 0);
    words.hidden = row < 0;
    if (row < 0 || at === undefined) return;
    const pair = live.table!.row(row);
    const nameOf = (id: number) => store.document.bodies.find(body => body.id === id)?.name ?? '';
    const amount = amountOf(pair, store.document.unit);
    words.textContent = `${nameOf(pair.a)} · ${nameOf(pair.b)}: ${relationOf(pair)}${amount && `, ${amount}`}`;
    words.dataset['row'] = String(row);
    const { left, top } = canvas.getBoundingClientRect();
    words.style.transform = `translate(${at.x - left + 14}px, ${at.y - top + 14}px)`;
  };
  const move = ({ clientX: x, clientY: y, buttons, pointerType }: PointerEvent) => {
    if (wanted === undefined) requestAnimationFrame(look);
    // A finger has no place where it only points.
    wanted = buttons === 0 && pointerType !== 'touch' ? { x, y } : { x: -1, y: -1 };
  };
  const leave = () => {
    words.hidden = true;
  };
  canvas.addEventListener('pointermove', move);
  canvas.addEventListener('pointerleave', leave);
  return {
    show: now => {
      drawn = now;
      words.hidden = true;
    },
    choose: (x, y) => {
      const row = rowAt(x, y);
      if (row >= 0) live.choose(live.table!.row(row));
      words.hidden = true;
      return row >= 0;
    },
    close: () => {
      canvas.removeEventListener('pointermove', move);
      canvas.removeEventListener('pointerleave', leave);
      words.remove();
    },
  };
}
