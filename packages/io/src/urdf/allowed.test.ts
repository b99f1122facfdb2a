// Pairs of links that may meet: those of a joint, and those that an SRDF disables.

import { describe, expect, it } from 'vitest';
import { encode, refusal } from '../testing/samples.ts';
import { joint, link, readRobot, robot } from '../testing/urdf-samples.ts';

describe('SRDF', () => {
  const bytes = robot(
    link('a'),
    link('b'),
    link('c'),
    link('d'),
    '<link name="empty"/>',
    joint('j1', 'fixed', 'a', 'b'),
    joint('j2', 'fixed', 'b', 'c'),
    joint('j3', 'fixed', 'c', 'd'),
    joint('j4', 'fixed', 'd', 'empty'),
  );

  it('adds the pairs that it disables, with its reasons', async () => {
    const srdf = encode(`<robot name="r">
      <disable_collisions link1="c" link2="a" reason="Never"/>
      <disable_collisions link1="a" link2="b" reason="Adjacent"/>
      <disable_collisions link1="a" link2="empty"/>
      <disable_collisions link1="a" link2="gone"/>
    </robot>`);
    const { allowed, warnings } = await readRobot(bytes, { srdf });
    expect(allowed!.map(({ a, b, reason }) => `${a} ${b} ${reason}`)).toEqual([
      '0 1 joined by j1',
      '0 2 SRDF: Never',
      '1 2 joined by j2',
      '2 3 joined by j3',
    ]);
    expect(warnings).toEqual(['r.urdf: the SRDF names links that the robot does not have: "gone"']);
  });

  it('knows links that are disabled as a whole, with exceptions', async () => {
    const srdf = encode(
      '<robot name="r"><disable_default_collisions link="d"/><enable_collisions link1="d" link2="a"/></robot>',
    );
    const { allowed } = await readRobot(bytes, { srdf });
    expect(allowed!.map(({ a, b }) => `${a} ${b}`)).toEqual(['0 1', '1 2', '1 3', '2 3']);
  });

  it('is refused if it is not an SRDF', async () => {
    for (const [text, message] of [
      ['', /^r\.urdf: the SRDF: line 1: /],
      ['<a/>', /the SRDF: line 1: an SRDF must begin with <robot>, not with <a>/],
      ['<robot><disable_collisions link1="a"/></robot>', /<disable_collisions> has no link2/],
      ['<!DOCTYPE a [<!ENTITY b "c">]><robot/>', /document type/],
    ] as const) {
      expect(await refusal('r.urdf', bytes, { srdf: encode(text) })).toMatch(message);
    }
  });
});
