// The seam between questions that sample and an engine that does so by itself: what each method asks of it.

import type { FieldTurn } from './field/sampling.ts';
import type { LayersTurn } from './layers/sampling.ts';
import type { LinesTurn } from './raster/sampling.ts';
import type { RaycastTurn } from './raycast/sampling.ts';

/** An engine in its turn. */
export interface SamplingTurn extends FieldTurn, LinesTurn, RaycastTurn, LayersTurn {}
