// The papers whose evaluations can be run again.

import { govindaraju } from './govindaraju/govindaraju.ts';
import { gress } from './gress/gress.ts';
import { hoff } from './hoff/hoff.ts';
import { knott } from './knott/knott.ts';
import { myszkowski } from './myszkowski/myszkowski.ts';
import type { Paper } from './paper.ts';

export const papers: readonly Paper[] = [gress, govindaraju, hoff, knott, myszkowski];
