// Icons: 16 × 16 lines in the colour of the text.

const icon = (path: string) =>
  `<svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;

export const icons = {
  eye: icon(
    '<path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8Z"/><circle cx="8" cy="8" r="2"/>',
  ),
  hidden: icon('<path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8ZM2.5 13.5l11-11"/>'),
  remove: icon('<path d="M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5"/>'),
  undo: icon('<path d="M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7"/>'),
  redo: icon('<path d="M10 3l3.5 3.5L10 10M13.5 6.5H6a3.5 3.5 0 0 0 0 7h3"/>'),
  move: icon('<path d="M8 1.5v13M1.5 8h13M6 3.5l2-2 2 2M6 12.5l2 2 2-2M3.5 6l-2 2 2 2M12.5 6l2 2-2 2"/>'),
  rotate: icon('<path d="M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3"/>'),
  snap: icon('<path d="M3.5 2v6a4.5 4.5 0 0 0 9 0V2H9.7v6a1.7 1.7 0 0 1-3.4 0V2ZM3.5 5h2.8M9.7 5h2.8"/>'),
  fit: icon(
    '<path d="M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5"/><rect x="5.5" y="5.5" width="5" height="5"/>',
  ),
  section: icon('<path d="M2.5 12.5 8 2l5.5 10.5ZM1.5 8.5h13"/>'),
  measure: icon('<path d="M1.5 10.5 10.5 1.5l4 4-9 9ZM4 8l1.5 1.5M6.5 5.5 8 7M9 3l1.5 1.5"/>'),
  isolate: icon(
    '<rect x="5.5" y="5.5" width="5" height="5"/><path d="M2 2h2M2 2v2M14 2h-2M14 2v2M2 14h2M2 14v-2M14 14h-2M14 14v-2" stroke-opacity=".6"/>',
  ),
  xray: icon('<path d="M8 1.8 13.8 5v6L8 14.2 2.2 11V5Z"/><circle cx="8" cy="8" r="2.2"/>'),
  explode: icon(
    '<rect x="6.2" y="6.2" width="3.6" height="3.6"/><path d="M4.5 4.5 2 2M2 2v2.2M2 2h2.2M11.5 4.5 14 2M14 2v2.2M14 2h-2.2M4.5 11.5 2 14M2 14v-2.2M2 14h2.2M11.5 11.5 14 14M14 14v-2.2M14 14h-2.2"/>',
  ),
  shade: icon(
    '<circle cx="8" cy="6.5" r="4.5"/><path d="M4.5 9.4A4.5 4.5 0 0 0 12.5 6.5 6 6 0 0 1 4.5 9.4Z" fill="currentColor"/><path d="M3.5 14h9"/>',
  ),
  open: icon('<path d="M1.5 13V3.5h4.2l1.5 1.7h7.3V13Z"/>'),
  save: icon('<path d="M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11"/>'),
  theme: icon('<circle cx="8" cy="8" r="5.5"/><path d="M8 2.5a5.5 5.5 0 0 1 0 11Z" fill="currentColor"/>'),
  help: icon(
    '<circle cx="8" cy="8" r="6"/><path d="M6.3 6.2a1.8 1.8 0 1 1 2.5 1.9c-.6.2-.8.6-.8 1.2M8 11.5v.1"/>',
  ),
  close: icon('<path d="M4 4l8 8M12 4l-8 8"/>'),
  /** Icons of relations, so that colour is not the only cue. */
  crossing: icon('<circle cx="6" cy="8" r="4"/><circle cx="10" cy="8" r="4"/>'),
  inside: icon('<circle cx="8" cy="8" r="5.5"/><circle cx="8" cy="8" r="2.5" fill="currentColor"/>'),
  contains: icon(
    '<circle cx="8" cy="8" r="5.5" fill="currentColor" fill-opacity=".25"/><circle cx="8" cy="8" r="2.5"/>',
  ),
  coincident: icon('<circle cx="8" cy="8" r="5"/><circle cx="8" cy="8" r="3.6"/>'),
  touching: icon('<circle cx="4.7" cy="8" r="3.3"/><circle cx="11.3" cy="8" r="3.3"/>'),
  separate: icon('<circle cx="3.7" cy="8" r="2.4"/><circle cx="12.3" cy="8" r="2.4"/><path d="M7 8h2"/>'),
  arrowLeft: icon('<path d="M10 3 5 8l5 5"/>'),
  arrowRight: icon('<path d="M6 3l5 5-5 5"/>'),
  play: icon('<path d="M5 3v10l8-5Z" fill="currentColor"/>'),
  pause: icon('<path d="M5 3v10M11 3v10"/>'),
  restart: icon('<path d="M3 8a5 5 0 1 0 1.6-3.7M3 2v3h3"/>'),
} as const;
