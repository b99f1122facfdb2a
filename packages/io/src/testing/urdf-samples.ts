// Small robots, written by hand.

import { type ReadOptions, readFile } from '../read-file.ts';
import { encode } from './samples.ts';

/** A link with one shape for collision; a box unless given. */
export const link = (name: string, shape = '<box size="1 2 3"/>', origin = ''): string =>
  `<link name="${name}"><collision>${origin}<geometry>${shape}</geometry></collision></link>\n`;

export const joint = (name: string, type: string, parent: string, child: string, rest = ''): string =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/>${rest}</joint>\n`;

/** A URDF of links and joints. */
export const robot = (...parts: string[]): Uint8Array =>
  encode(`<?xml version="1.0"?>\n<robot name="r">\n${parts.join('')}</robot>\n`);

export const readRobot = (bytes: Uint8Array, options: ReadOptions = {}) => readFile('r.urdf', bytes, options);
