import type { SceneFile } from '../case.ts';
import { particles } from '../particles/scene.ts';
import { assembly } from './assembly.ts';
import { boxes } from './boxes.ts';
import { deform } from './deform.ts';
import { coincident } from './exact/coincident.ts';
import { flush } from './exact/flush.ts';
import { relations } from './exact/relations.ts';
import { growth } from './growth.ts';
import { contacts } from './measures/contacts.ts';
import { distance } from './measures/distance.ts';
import { fields } from './measures/fields.ts';
import { many } from './measures/many.ts';
import { penetration } from './measures/penetration.ts';
import { million } from './million.ts';
import { motion } from './motion.ts';
import { near } from './near.ts';
import { pair } from './pair.ts';
import { jaws } from './papers/jaws.ts';
import { layers } from './papers/layers.ts';
import { proximity } from './papers/proximity.ts';
import { raycast } from './papers/raycast.ts';
import { rotating } from './papers/rotating.ts';
import { visibility } from './papers/visibility.ts';
import { trees } from './trees.ts';

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
  many,
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
