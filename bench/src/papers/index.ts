// The papers whose evaluations can be run again.

import { govindaraju } from './govindaraju.ts';
import { gress } from './gress.ts';
import { hoff } from './hoff.ts';
import { knott } from './knott.ts';
import { myszkowski } from './myszkowski.ts';
import type { Paper } from './paper.ts';

export const papers: readonly Paper[] = [gress, govindaraju, hoff, knott, myszkowski];
