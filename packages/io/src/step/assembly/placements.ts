// Where does a use of a part stand in its assembly? A use has a relation between two representations: that of the part
// and that of the assembly, each with axes. The part is moved so that its axes come to lie on those of the assembly.
// Open CASCADE places the parts of the same file itself; this is for parts from other files.

import { identity, multiplyPoses, type Pose } from 'nearfield';
import { directionOf } from '../../facts/direction.ts';
import type { Records } from '../../part21/records.ts';
import { listOf, numberOf, refOf } from '../../part21/values.ts';
import { badFile } from '../../reading/file-error.ts';
import { unitOfContext } from '../stated.ts';
import { representationsOf } from './references.ts';
import type { Use } from './structure.ts';

const contextual = 'CONTEXT_DEPENDENT_SHAPE_REPRESENTATION';
const transformation = 'REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION';

export class Placements {
  /** Per use, its relation. */
  private readonly relations = new Map<number, number>();
  private readonly representations: ReadonlyMap<number, ReadonlySet<number>>;
  private readonly scales = new Map<number, number>();
  private readonly poses = new Map<number, Pose>();

  /** Poses are given in `unit`, in metres. Lengths whose unit the file does not say are in `fileUnit`. */
  constructor(
    private readonly file: string,
    private readonly records: Records,
    private readonly fileUnit: number | undefined,
    private readonly unit: number,
  ) {
    for (const id of records.named(contextual)) {
      const [relation, shape] = records.arguments(id, contextual) ?? [];
      const use = refOf(records.arguments(refOf(shape) ?? 0, 'PRODUCT_DEFINITION_SHAPE')?.[2]);
      const related = refOf(relation);
      if (use !== undefined && related !== undefined && !this.relations.has(use))
        this.relations.set(use, related);
    }
    this.representations = representationsOf(records);
  }

  /** From the coordinates of the part to those of the assembly. */
  poseOf(use: Use): Pose {
    let pose = this.poses.get(use.id);
    if (!pose) {
      pose = this.readUse(use);
      this.poses.set(use.id, pose);
    }
    return pose;
  }

  private readUse({ id, whole, part }: Use): Pose {
    const { records } = this;
    const place = `#${id}`;
    const relation = this.relations.get(id);
    if (relation === undefined) return badFile(this.file, place, 'this use of a part has no place');
    const [, , one, two] = records.arguments(relation, 'REPRESENTATION_RELATIONSHIP') ?? [];
    const [first, second] = [refOf(one), refOf(two)];
    const moved = refOf(records.arguments(relation, transformation)?.[0]);
    // A relation without a transformation leaves the part where it is.
    if (first !== undefined && second !== undefined && moved === undefined) return identity();
    const axes = records.arguments(moved ?? 0, 'ITEM_DEFINED_TRANSFORMATION');
    const [from, to] = [refOf(axes?.[2]), refOf(axes?.[3])];
    if (first === undefined || second === undefined || from === undefined || to === undefined)
      return badFile(this.file, place, 'the place of this use of a part is not given by two axes');
    const here = this.axesOf(from, first, place);
    const there = this.axesOf(to, second, place);
    // The part should come first. Some programs write the assembly first.
    const has = (definition: number, representation: number) =>
      this.representations.get(definition)?.has(representation) ?? false;
    const isTurned = (has(part, second) || has(whole, first)) && !has(part, first) && !has(whole, second);
    return isTurned ? multiplyPoses(here, inverse(there)) : multiplyPoses(there, inverse(here));
  }

  /** Axes as a pose from their own coordinates to those of their representation. */
  private axesOf(id: number, representation: number, place: string): Pose {
    const { records, file } = this;
    const axes = records.arguments(id, 'AXIS2_PLACEMENT_3D');
    if (!axes) return badFile(file, place, `its axes #${id} are not an AXIS2_PLACEMENT_3D`);
    const point = this.triple(axes[1], 'CARTESIAN_POINT');
    const up = axes[2] === null ? [0, 0, 1] : this.triple(axes[2], 'DIRECTION');
    const z = up && directionOf(up);
    const ahead = axes[3] === null ? z && across(z) : this.triple(axes[3], 'DIRECTION');
    const x = z && ahead && directionOf(orthogonal(ahead, z));
    if (!point || !x || !z) return badFile(file, place, `its axes #${id} have no place or no direction`);
    const scale = this.scaleOf(representation);
    const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
    const pose = identity();
    [x, y, z, point.map(value => value * scale)].forEach((column, i) => {
      pose.set(column, 4 * i);
    });
    if (!pose.every(Number.isFinite)) badFile(file, place, `its axes #${id} are not finite`);
    return pose;
  }

  private triple(value: Parameters<typeof refOf>[0], name: string): number[] | undefined {
    const list = listOf(this.records.arguments(refOf(value) ?? 0, name)?.[1]);
    const numbers = list.map(item => numberOf(item) ?? Number.NaN);
    return numbers.length === 3 && !numbers.some(Number.isNaN) ? numbers : undefined;
  }

  /** How long a length of a representation is in the unit of the poses. */
  private scaleOf(representation: number): number {
    let scale = this.scales.get(representation);
    if (scale === undefined) {
      const context = refOf(this.records.parts(representation)[0]?.args[2]);
      const own = (context === undefined ? undefined : unitOfContext(this.records, context)) ?? this.fileUnit;
      // 0.0254 / 0.001 is not the double nearest to 25.4.
      scale = own === undefined || own === this.unit ? 1 : Number((own / this.unit).toPrecision(15));
      this.scales.set(representation, scale);
    }
    return scale;
  }
}

/** What is left of v at right angles to a direction of length 1. */
function orthogonal(v: readonly number[], along: readonly number[]): number[] {
  const unit = directionOf(v) ?? [0, 0, 0];
  const part = unit[0] * along[0] + unit[1] * along[1] + unit[2] * along[2];
  const left = unit.map((x, i) => x - part * along[i]);
  // Parallel to it, up to rounding.
  return Math.hypot(...left) < 1e-12 ? [0, 0, 0] : left;
}

/** The first axis if none is given: x, or y if the third lies along x. */
const across = (z: readonly number[]): number[] => (z[1] === 0 && z[2] === 0 ? [0, 1, 0] : [1, 0, 0]);

/** The inverse of a pose whose axes are at right angles and of length 1. */
function inverse(m: Pose): Pose {
  const out = identity();
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) out[4 * column + row] = m[4 * row + column];
    out[12 + row] = 0 - (m[4 * row] * m[12] + m[4 * row + 1] * m[13] + m[4 * row + 2] * m[14]);
  }
  return out;
}
