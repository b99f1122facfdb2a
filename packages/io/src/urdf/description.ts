// Which links, joints and shapes does the XML of a URDF state? Checks that the links form one tree.

import { identity, type Pose } from 'nearfield';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';
import { xmlNumber, xmlNumbers } from '../xml/xml-reader.ts';
import { childrenOf, type XmlNode } from '../xml/xml-tree.ts';
import type { JointType, RobotJoint } from './robot.ts';

/** A shape of a link, in metres. */
export type Shape =
  | { readonly kind: 'box'; readonly size: readonly [number, number, number] }
  | { readonly kind: 'cylinder'; readonly radius: number; readonly length: number }
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'mesh'; readonly filename: string; readonly scale: readonly [number, number, number] };

export interface PlacedShape {
  readonly shape: Shape;
  /** Undefined if the file gives no origin. */
  readonly origin: Pose | undefined;
  readonly place: string;
}

export interface Link {
  readonly name: string;
  readonly collision: readonly PlacedShape[];
  readonly visual: readonly PlacedShape[];
}

export interface Description {
  readonly name: string;
  readonly links: ReadonlyMap<string, Link>;
  /** Each after the joint that moves its parent. */
  readonly joints: readonly RobotJoint[];
}

const words = (text: string): string[] => text.split(' ');

const jointTypes = new Set<string>(['fixed', 'revolute', 'continuous', 'prismatic', 'planar', 'floating']);

/** What else there may be in a robot, a link and a joint without a shape or a motion. Others are warned about. */
const skipped: Readonly<Record<string, ReadonlySet<string>>> = {
  robot: new Set([
    'link',
    'joint',
    ...words('material transmission gazebo sensor ros2_control mujoco group plugin'),
  ]),
  link: new Set(words('visual collision inertial contact self_collision_checking sensor gazebo verbose')),
  joint: new Set(
    words(
      'parent child origin axis limit mimic calibration dynamics safety_controller hardwareInterface gazebo',
    ),
  ),
};
const mostWarnings = 10;

export function describeRobot(file: string, root: XmlNode, warnings: string[]): Description {
  return new DescriptionReader(file, warnings).read(root);
}

class DescriptionReader {
  private readonly unknown = new Set<string>();

  constructor(
    private readonly file: string,
    private readonly warnings: string[],
  ) {}

  read(root: XmlNode): Description {
    if (root.name !== 'robot')
      this.fail(root, `a URDF must begin with <robot>, not with <${root.name.slice(0, 60)}>`);
    this.refuseXacro(root);
    this.checkContent(root);
    const links = new Map<string, Link>();
    for (const node of childrenOf(root, 'link')) {
      this.checkContent(node);
      const name = this.need(node, 'name');
      if (links.has(name)) this.fail(node, `a second link ${quoted(name)}`);
      links.set(name, {
        name,
        collision: this.shapes(node, 'collision'),
        visual: this.shapes(node, 'visual'),
      });
    }
    if (links.size === 0) this.fail(root, 'the robot has no links');
    const joints = this.ordered(root, links);
    this.checkMimics(root, joints);
    return { name: root.attributes.get('name') || 'robot', links, joints };
  }

  private fail(node: XmlNode, what: string): never {
    return badFile(this.file, node.place, what);
  }

  /** Refuses text, which a damaged tag becomes, and warns about elements that are not known here. */
  private checkContent(node: XmlNode): void {
    if (node.hasText) this.fail(node, `<${node.name}> has text between its tags`);
    for (const { name, place } of node.children) {
      // Elements with a prefix belong to other programs.
      if (skipped[node.name].has(name) || name.includes(':') || this.unknown.has(name)) continue;
      this.unknown.add(name);
      if (this.unknown.size <= mostWarnings)
        this.warnings.push(`${this.file}: ${place}: <${name.slice(0, 60)}> in <${node.name}> is skipped`);
    }
  }

  private need(node: XmlNode, name: string): string {
    return node.attributes.get(name) || this.fail(node, `<${node.name}> has no ${name}`);
  }

  /** Macros of xacro are a program that makes a URDF. */
  private refuseXacro(root: XmlNode): void {
    const macro = root.children.find(({ name }) => name.startsWith('xacro:'));
    if (!macro) return;
    const advice = 'this is xacro, not URDF: expand it first with "xacro robot.urdf.xacro > robot.urdf"';
    unsupportedFile(this.file, macro.place, advice);
  }

  private shapes(link: XmlNode, kind: 'collision' | 'visual'): PlacedShape[] {
    return childrenOf(link, kind).map(node => {
      const [geometry, ...others] = childrenOf(node, 'geometry');
      if (
        node.hasText ||
        geometry?.hasText ||
        !geometry ||
        others.length > 0 ||
        geometry.children.length !== 1
      )
        this.fail(node, `<${kind}> must have one <geometry> with one shape`);
      return { shape: this.shape(geometry.children[0]), origin: this.origin(node), place: node.place };
    });
  }

  private shape(node: XmlNode): Shape {
    switch (node.name) {
      case 'box': {
        const size = this.vector(node, 'size') ?? this.fail(node, '<box> has no size');
        if (!size.every(length => length > 0)) this.fail(node, 'the size of a box must be above 0');
        return { kind: 'box', size };
      }
      case 'cylinder':
        return { kind: 'cylinder', radius: this.length(node, 'radius'), length: this.length(node, 'length') };
      case 'sphere':
        return { kind: 'sphere', radius: this.length(node, 'radius') };
      case 'mesh': {
        const scale = this.vector(node, 'scale') ?? [1, 1, 1];
        if (scale.some(factor => factor === 0)) this.fail(node, 'the scale of a mesh must not be 0');
        return { kind: 'mesh', filename: this.need(node, 'filename'), scale };
      }
    }
    const what = `the shape <${node.name.slice(0, 60)}> is not supported; use box, cylinder, sphere or mesh`;
    return unsupportedFile(this.file, node.place, what);
  }

  private length(node: XmlNode, name: string): number {
    const text = this.need(node, name);
    const value = xmlNumber(text.trim());
    if (!(value > 0 && Number.isFinite(value)))
      this.fail(node, `the ${name} of a ${node.name} must be a number above 0, not ${quoted(text)}`);
    return value;
  }

  private vector(node: XmlNode, name: string): [number, number, number] | undefined {
    const text = node.attributes.get(name);
    if (text === undefined) return undefined;
    const numbers =
      xmlNumbers(text, 3) ?? this.fail(node, `${name} must be three numbers, not ${quoted(text)}`);
    return numbers as [number, number, number];
  }

  /** The pose of <origin xyz rpy>: first a turn about x by roll, then about y by pitch, then about z by yaw. */
  private origin(node: XmlNode): Pose | undefined {
    const [origin] = childrenOf(node, 'origin');
    if (!origin) return undefined;
    const [x, y, z] = this.vector(origin, 'xyz') ?? [0, 0, 0];
    const [roll, pitch, yaw] = this.vector(origin, 'rpy') ?? [0, 0, 0];
    const [cr, sr, cp, sp, cy, sy] = [roll, pitch, yaw].flatMap(angle => [Math.cos(angle), Math.sin(angle)]);
    const pose = identity();
    pose.set([cy * cp, sy * cp, -sp], 0);
    pose.set([cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr], 4);
    pose.set([cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr], 8);
    pose.set([x, y, z], 12);
    return pose;
  }

  private joint(node: XmlNode, links: ReadonlyMap<string, Link>): RobotJoint {
    this.checkContent(node);
    const name = this.need(node, 'name');
    const type = this.need(node, 'type');
    if (!jointTypes.has(type)) this.fail(node, `${quoted(type)} is not a type of joint`);
    const end = (which: 'parent' | 'child'): string => {
      const [given] = childrenOf(node, which);
      const link = this.need(given ?? this.fail(node, `the joint ${quoted(name)} has no <${which}>`), 'link');
      if (!links.has(link))
        this.fail(given, `the joint ${quoted(name)} names the link ${quoted(link)}, which is missing`);
      return link;
    };
    const parent = end('parent');
    const child = end('child');
    const number = (holder: XmlNode | undefined, key: string): number | undefined => {
      const text = holder?.attributes.get(key);
      if (!holder || text === undefined) return undefined;
      const value = xmlNumber(text.trim());
      return Number.isFinite(value)
        ? value
        : this.fail(holder, `${key} is ${quoted(text)}, which is not a number`);
    };
    const [limit] = childrenOf(node, 'limit');
    const [mimic] = childrenOf(node, 'mimic');
    let [lower, upper] = [number(limit, 'lower'), number(limit, 'upper')];
    // A limit that states one end has 0 as the other.
    if (lower !== undefined || upper !== undefined) [lower, upper] = [lower ?? 0, upper ?? 0];
    return {
      name,
      type: type as JointType,
      parent,
      child,
      origin: this.origin(node) ?? identity(),
      axis: type === 'fixed' || type === 'floating' ? [1, 0, 0] : this.axis(node),
      lower,
      upper,
      mimic: mimic && {
        joint: this.need(mimic, 'joint'),
        multiplier: number(mimic, 'multiplier') ?? 1,
        offset: number(mimic, 'offset') ?? 0,
      },
    };
  }

  private axis(node: XmlNode): [number, number, number] {
    const [given] = childrenOf(node, 'axis');
    const axis = (given && this.vector(given, 'xyz')) ?? [1, 0, 0];
    // Scaled first, so that the squares neither overflow nor vanish.
    const largest = Math.max(...axis.map(Math.abs));
    if (largest === 0) this.fail(given, 'the axis of a joint must not be 0');
    const [x, y, z] = axis.map(value => value / largest);
    const length = Math.hypot(x, y, z);
    return [x / length, y / length, z / length];
  }

  /** The joints from the root link down. Every link but one is the child of one joint, and all hang together. */
  private ordered(root: XmlNode, links: ReadonlyMap<string, Link>): RobotJoint[] {
    const names = new Set<string>();
    const children = new Set<string>();
    const below = new Map<string, RobotJoint[]>();
    for (const node of childrenOf(root, 'joint')) {
      const joint = this.joint(node, links);
      if (names.has(joint.name)) this.fail(node, `a second joint ${quoted(joint.name)}`);
      if (children.has(joint.child))
        this.fail(node, `the link ${quoted(joint.child)} is the child of two joints`);
      names.add(joint.name);
      children.add(joint.child);
      const known = below.get(joint.parent);
      if (known) known.push(joint);
      else below.set(joint.parent, [joint]);
    }
    const roots = [...links.keys()].filter(name => !children.has(name));
    if (roots.length === 0) this.fail(root, 'the joints form a loop: every link is the child of another');
    if (roots.length > 1)
      this.fail(
        root,
        `the links must hang together, but ${quoted(roots[0])} and ${quoted(roots[1])} hang on no joint`,
      );
    const ordered: RobotJoint[] = [];
    const open = [...roots];
    for (let link = open.pop(); link !== undefined; link = open.pop()) {
      for (const joint of below.get(link) ?? []) {
        ordered.push(joint);
        open.push(joint.child);
      }
    }
    if (ordered.length < children.size)
      this.fail(root, 'some joints form a loop that hangs on no other link');
    return ordered;
  }

  private checkMimics(root: XmlNode, joints: readonly RobotJoint[]): void {
    const byName = new Map(joints.map(joint => [joint.name, joint]));
    const sound = new Set<string>();
    for (const { name } of joints) {
      const chain: string[] = [];
      const seen = new Set<string>();
      let at = byName.get(name);
      while (at?.mimic && !sound.has(at.name)) {
        if (seen.has(at.name)) this.fail(root, `the joint ${quoted(at.name)} follows itself`);
        seen.add(at.name);
        chain.push(at.name);
        const next = byName.get(at.mimic.joint);
        if (!next)
          this.fail(root, `the joint ${quoted(at.name)} follows ${quoted(at.mimic.joint)}, which is missing`);
        at = next;
      }
      for (const known of chain) sound.add(known);
    }
  }
}
