// The keys of a review: they go to the next clash and back, and set the status of the chosen one.

import type { Status } from '@nearfield/clashes';
import { isTyping } from '../../parts/keys.ts';
import type { Studio } from '../../studio.ts';
import type { Live } from '../live.ts';
import { statusKeys } from './detail.ts';
import { statusText } from './filters.ts';
import { withStatus } from './statuses.ts';

export interface ReviewCommands {
  readonly step: (by: 1 | -1) => void;
  readonly comment: () => void;
}

export function openReviewKeys({ store }: Studio, live: Live, { step, comment }: ReviewCommands): () => void {
  const key = (event: KeyboardEvent) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || document.querySelector('dialog[open]'))
      return;
    const { chosen } = live;
    if (event.key === 'j' || event.key === 'k') step(event.key === 'j' ? 1 : -1);
    else if (chosen === undefined || !event.shiftKey) return;
    else if (event.key === 'C') comment();
    else {
      const found = Object.entries(statusKeys).find(([, letter]) => letter === event.key);
      if (found === undefined) return;
      const [status] = found as [Status, string];
      store.change(statusText(status), withStatus(store.document, chosen, status));
    }
    event.preventDefault();
  };
  addEventListener('keydown', key);
  return () => removeEventListener('keydown', key);
}
