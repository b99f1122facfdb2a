// Checks the options of generated shapes.

import {
  aFiniteNumber,
  bad,
  checkOptions,
  isObject,
  lengthAbove0,
  numbers,
  type Rule,
  type Rules,
  wholeNumber,
  wrong,
} from '../core/arguments.ts';

/**
 * The number of segments around or along something. At least three make a solid; more than the maximum do not fit
 * into a mesh.
 */
export const segmentsRule = wholeNumber(3, 2 ** 24);
/** The approximate number of triangles. It is rounded, so it need not be whole. */
export const trianglesRule: Rule = (given, what) => {
  lengthAbove0(given, what);
  if ((given as number) > 2 ** 28) throw bad(`${what} is ${given}, which is more than 2^28`);
};

const aPoint = numbers(2);

/** A list whose items obey a rule. Errors name the item by its index. */
export const listOf =
  (words: string, item: Rule, least = 0): Rule =>
  (given, what) => {
    if (!Array.isArray(given)) throw wrong(what, words, given);
    if (given.length < least)
      throw bad(`${what} must be ${words} with at least ${least} items, not ${given.length}`);
    for (let i = 0; i < given.length; i++) item(given[i], `${what}[${i}]`);
  };

/** A list of points of two numbers each. */
export const aChain = (least: number): Rule => listOf('a list of points [x, y]', aPoint, least);
export const aLoop = aChain(3);
export const loops = listOf('a list of loops', aLoop);

/** A required object with all of its numbers. */
export const allOf =
  <T extends object>(rules: Rules<T>): Rule =>
  (given, what) => {
    if (!isObject(given)) throw wrong(what, `an object with ${Object.keys(rules).join(', ')}`, given);
    checkOptions(given as T, rules, what, 'it');
    for (const key in rules) rules[key as keyof Rules<T>](given[key as never], `${what}: ${key}`);
  };

export const slotRule = allOf<{ width: number; top: number }>({ width: lengthAbove0, top: aFiniteNumber });
