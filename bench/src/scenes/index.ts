import type { SceneFile } from '../case.ts';
import { particles } from '../particles/scene.ts';
import { assembly } from './assembly.ts';
import { boxes } from './boxes.ts';
import { coincident } from './coincident.ts';
import { contacts } from './contacts.ts';
import { deform } from './deform.ts';
import { distance } from './distance.ts';
import { fields } from './fields.ts';
import { flush } from './flush.ts';
import { growth } from './growth.ts';
import { jaws } from './jaws.ts';
import { layers } from './layers.ts';
import { million } from './million.ts';
import { motion } from './motion.ts';
import { near } from './near.ts';
import { pair } from './pair.ts';
import { penetration } from './penetration.ts';
import { proximity } from './proximity.ts';
import { raycast } from './raycast.ts';
import { relations } from './relations.ts';
import { rotating } from './rotating.ts';
import { trees } from './trees.ts';
import { visibility } from './visibility.ts';

export const scenes: readonly SceneFile[] = [
  trees,
  pair,
  near,
  rotating,
  boxes,
  deform,
  motion,
  million,
  growth,
  flush,
  coincident,
  relations,
  distance,
  assembly,
  fields,
  proximity,
  penetration,
  contacts,
  visibility,
  raycast,
  layers,
  jaws,
  particles,
];
