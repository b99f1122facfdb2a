// URDF files that are refused, each with one line, and large ones in short time.

import { describe, expect, it } from 'vitest';
import { encode, refusal } from '../testing/samples.ts';
import { joint, link, readRobot, robot } from '../testing/urdf-samples.ts';

describe('refusals', () => {
  const two = link('a') + link('b');
  it.each([
    ['another document', '<model/>', /a URDF must begin with <robot>, not with <model>/],
    ['no links', '<robot name="r"/>', /the robot has no links/],
    ['two links of one name', link('a') + link('a'), /a second link "a"/],
    ['a link without a name', '<link/>', /<link> has no name/],
    [
      'links that do not hang together',
      two,
      /the links must hang together, but "a" and "b" hang on no joint/,
    ],
    [
      'a loop of all links',
      two + joint('j', 'fixed', 'a', 'b') + joint('k', 'fixed', 'b', 'a'),
      /the joints form a loop/,
    ],
    [
      'a loop beside the tree',
      `${two}${link('c')}${joint('j', 'fixed', 'a', 'b')}${joint('k', 'fixed', 'b', 'a')}`,
      /some joints form a loop/,
    ],
    [
      'a link with two parents',
      two + joint('j', 'fixed', 'a', 'b') + joint('k', 'fixed', 'a', 'b'),
      /is the child of two joints/,
    ],
    [
      'a missing link',
      link('a') + joint('j', 'fixed', 'a', 'z'),
      /the joint "j" names the link "z", which is missing/,
    ],
    ['an unknown joint', two + joint('j', 'ball', 'a', 'b'), /"ball" is not a type of joint/],
    [
      'an axis of 0',
      two + joint('j', 'revolute', 'a', 'b', '<axis xyz="0 0 0"/>'),
      /the axis of a joint must not be 0/,
    ],
    [
      'a joint that follows itself',
      two + joint('j', 'revolute', 'a', 'b', '<mimic joint="j"/>'),
      /the joint "j" follows itself/,
    ],
    [
      'a joint that follows nothing',
      two + joint('j', 'revolute', 'a', 'b', '<mimic joint="k"/>'),
      /follows "k", which is missing/,
    ],
    ['a box of 0', link('a', '<box size="1 0 1"/>'), /the size of a box must be above 0/],
    ['a sphere without a radius', link('a', '<sphere/>'), /<sphere> has no radius/],
    [
      'a radius that is not a number',
      link('a', '<sphere radius="NaN"/>'),
      /must be a number above 0, not "NaN"/,
    ],
    ['a size too large', link('a', '<sphere radius="1e999"/>'), /must be a number above 0/],
    [
      'a shape that is not known',
      link('a', '<capsule radius="1" length="1"/>'),
      /the shape <capsule> is not supported/,
    ],
    [
      'two shapes in one',
      link('a', '<box size="1 1 1"/><box size="1 1 1"/>'),
      /must have one <geometry> with one shape/,
    ],
    [
      'an origin of two numbers',
      link('a', '<box size="1 1 1"/>', '<origin xyz="1 2"/>'),
      /xyz must be three numbers, not "1 2"/,
    ],
    ['text where there is none', `${link('a')} link name="b">`, /<robot> has text between its tags/],
    [
      'text in a link',
      link('a').replace('<collision>', 'collision>').replace('</collision>', ''),
      /<link> has text/,
    ],
    ['xacro', '<xacro:include filename="a"/>', /this is xacro, not URDF: expand it first/],
    ['nothing to check', '<link name="a"/>', /no link has a shape/],
    ['an entity', link('&lol;'), /undefined entity/],
    ['deep nesting', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`, /nested more than 64 deep/],
  ])('%s', async (_, content, message) => {
    const text =
      content.startsWith('<model') || content.startsWith('<robot')
        ? content
        : `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">${content}</robot>`;
    expect(await refusal('r.urdf', encode(text))).toMatch(message);
  });

  it('a product that is not finite, xacro by its name, a document type', async () => {
    const far = '<origin xyz="1e308 0 0"/>';
    const chain = robot(
      link('a'),
      link('b'),
      link('c'),
      joint('j', 'fixed', 'a', 'b', far),
      joint('k', 'fixed', 'b', 'c', far),
    );
    expect(await refusal('r.urdf', chain)).toMatch(/is not finite/);
    expect(await refusal('r.urdf.xacro', chain)).toMatch(
      /this is xacro, not URDF: expand it first with "xacro r\.urdf\.xacro > robot\.urdf"/,
    );
    const lol = `<!DOCTYPE r [<!ENTITY a "${'lol'.repeat(9)}">]><robot/>`;
    expect(await refusal('r.urdf', encode(lol))).toMatch(/document type/);
  });

  it('20,000 links in a chain, in short time and with short paths', async () => {
    let text = '<link name="l0"/>';
    const count = 20_000;
    for (let i = 1; i < count; i++)
      text += `<link name="l${i}"/>${joint(`j${i}`, 'fixed', `l${i - 1}`, `l${i}`)}`;
    text = text.replace(`<link name="l${count - 1}"/>`, link(`l${count - 1}`));
    const { bodies } = await readRobot(robot(text));
    expect(bodies[0].path).toHaveLength(64);
  });
});
