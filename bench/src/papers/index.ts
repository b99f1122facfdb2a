// The papers whose evaluations can be run again.

import { gress } from './gress.ts';
import { knott } from './knott.ts';
import type { Paper } from './paper.ts';

export const papers: readonly Paper[] = [gress, knott];
