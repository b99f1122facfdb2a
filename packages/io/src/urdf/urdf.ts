// Which bodies does a URDF describe? One per link that has a shape, placed by the joints from the root down. A link's
// meshes are read from the files that it names; boxes, cylinders and spheres become triangles.

import { type Mesh, multiplyPoses, NearfieldError, type Pose, shapes } from 'nearfield';
import { type PartName, pathOf } from '../facts/part-path.ts';
import { halfDoubleUlp, reachOf, roundingOf, stretchOf } from '../facts/rounding.ts';
import { nameOfUnit } from '../facts/units.ts';
import { mergeWithin } from '../merge-bodies.ts';
import type { ReadBody, ReadResult } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import { type FetchBeside, nameBeside } from '../reading/fetch-beside.ts';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';
import { readXmlTree } from '../xml/xml-tree.ts';
import { Allowed, allowFromSrdf, allowNeighbours } from './allowed.ts';
import { type Description, describeRobot, type Link, type PlacedShape, type Shape } from './description.ts';
import { fetchFirst, type Surroundings } from './mesh-files.ts';
import { type JointValues, jointWarnings, placeBodies, type Robot } from './robot.ts';

export interface UrdfOptions extends Surroundings {
  readonly geometry?: 'collision' | 'visual' | undefined;
  readonly joints?: JointValues | undefined;
  readonly srdf?: Uint8Array | undefined;
}

/** Reads a mesh file that the URDF names, within the same budget. */
export type ReadMesh = (
  name: string,
  bytes: Uint8Array,
  fetchBeside: FetchBeside | undefined,
) => Promise<ReadResult>;

/** Corners of a cylinder's circle, and pieces per edge of a sphere's icosahedron. */
const segments = 128;
const frequency = 16;

const meshFormats = new Set(['stl', 'obj', 'ply', 'off', 'glb', 'gltf']);

export async function readUrdf(
  file: string,
  bytes: Uint8Array,
  options: UrdfOptions,
  budget: Budget,
  readMesh: ReadMesh,
): Promise<ReadResult> {
  const root = await readXmlTree(file, '', bytes, budget);
  const warnings: string[] = [];
  const described = describeRobot(file, root, warnings);
  return new UrdfReader(file, described, options, budget, readMesh, warnings).read();
}

class UrdfReader {
  private readonly meshes = new Map<string, Promise<ReadBody>>();
  private readonly solids = new Map<string, Mesh>();
  private tessellation = 0;

  constructor(
    private readonly file: string,
    private readonly described: Description,
    private readonly options: UrdfOptions,
    private readonly budget: Budget,
    private readonly readMesh: ReadMesh,
    private readonly warnings: string[],
  ) {}

  async read(): Promise<ReadResult> {
    const { file, described, options, budget, warnings } = this;
    const { name, links, joints } = described;
    const bodies: ReadBody[] = [];
    const bodyOf = new Map<string, number>();
    for (const link of links.values()) {
      const chosen = this.shapesOf(link);
      if (chosen.length === 0) continue;
      budget.spendBodies(1, link.name.length, chosen[0].place);
      bodyOf.set(link.name, bodies.length);
      bodies.push(await this.body(link, chosen));
    }
    if (bodies.length === 0) badFile(file, '', this.whyEmpty());
    const robot: Robot = {
      name,
      joints,
      bodies: bodies.map(body => ({ link: body.name, pose: body.pose })),
    };
    for (const { name: joint, type } of joints) {
      if (type === 'planar' || type === 'floating')
        warnings.push(`${file}: the ${type} joint ${quoted(joint)} stays at zero`);
    }
    const poses = this.posesNow(robot);
    const names = partNames(described);
    const placed = bodies.map((body, i) => ({
      ...body,
      pose: poses[i],
      path: pathOf(names.get(body.name)!),
    }));
    const allowed = new Allowed(budget);
    allowNeighbours(allowed, joints, bodyOf);
    if (options.srdf)
      warnings.push(...(await allowFromSrdf(file, options.srdf, links, bodyOf, allowed, budget)));
    return {
      bodies: placed,
      warnings,
      unit: 1,
      up: 'z',
      tessellation: this.tessellation > 0 ? this.tessellation : undefined,
      allowed: allowed.finish(),
      robot,
    };
  }

  private posesNow(robot: Robot): Pose[] {
    const { file, options, warnings } = this;
    const joints = options.joints ?? {};
    const poses = placeBodies(robot, joints, file);
    for (const warning of jointWarnings(robot, joints)) warnings.push(`${file}: ${warning}`);
    if (poses.some(pose => !pose.every(Number.isFinite)))
      badFile(file, '', 'the product of the transforms down to a link is not finite');
    return poses;
  }

  private shapesOf({ collision, visual }: Link): readonly PlacedShape[] {
    const { geometry } = this.options;
    if (geometry) return geometry === 'collision' ? collision : visual;
    return collision.length > 0 ? collision : visual;
  }

  private whyEmpty(): string {
    const { geometry } = this.options;
    return geometry ? `no link has a ${geometry} shape` : 'no link has a shape';
  }

  /** One shape keeps its mesh and gets a pose in the link. Several are merged in the link's frame. */
  private async body(link: Link, chosen: readonly PlacedShape[]): Promise<ReadBody> {
    const parts: ReadBody[] = [];
    for (const { shape, origin, place } of chosen) {
      const part = await this.part(shape, `${place}: link ${quoted(link.name)}`);
      const pose = origin && part.pose ? multiplyPoses(origin, part.pose) : (origin ?? part.pose);
      if (pose && !pose.every(Number.isFinite))
        badFile(this.file, place, 'the pose of a shape is not finite');
      const { mesh, rounding: meshRounding } = part;
      const rounding = meshRounding && meshRounding * (pose ? stretchOf(pose) : 1);
      parts.push({ name: link.name, mesh, pose, rounding, meshRounding });
    }
    return parts.length === 1 ? parts[0] : mergeWithin(this.budget, this.file, link.name, parts);
  }

  private async part(shape: Shape, place: string): Promise<ReadBody> {
    if (shape.kind === 'mesh') {
      const [x, y, z] = shape.scale;
      const { mesh, rounding } = await this.mesh(shape.filename, place, x === 1 && y === 1 && z === 1);
      const pose =
        x === 1 && y === 1 && z === 1
          ? undefined
          : Float64Array.of(x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1);
      return { name: '', mesh, pose, rounding };
    }
    const mesh = this.solid(shape, place);
    const [x, y, z] = reachOf(mesh.positions);
    return { name: '', mesh, rounding: roundingOf([halfDoubleUlp(x), halfDoubleUlp(y), halfDoubleUlp(z)]) };
  }

  private solid(shape: Exclude<Shape, { kind: 'mesh' }>, place: string): Mesh {
    const key = JSON.stringify(shape);
    let mesh = this.solids.get(key);
    if (mesh) return mesh;
    try {
      if (shape.kind === 'box') mesh = shapes.box({ size: shape.size });
      else if (shape.kind === 'sphere') mesh = shapes.icosphere({ radius: shape.radius, frequency });
      else mesh = shapes.cylinder({ radius: shape.radius, height: shape.length, segments });
    } catch (error) {
      // Sizes so large or small that no mesh can have them.
      if (error instanceof NearfieldError) badFile(this.file, place, error.message, error);
      throw error;
    }
    this.budget.spendMesh(mesh.vertexCount, 8, mesh.indices.length, place);
    this.solids.set(key, mesh);
    this.tessellation = Math.max(this.tessellation, tessellationOf(shape, mesh));
    return mesh;
  }

  /** The whole of a mesh file as one body in the file's own coordinates. */
  private async mesh(filename: string, place: string, unscaled: boolean): Promise<ReadBody> {
    let reading = this.meshes.get(filename);
    if (!reading) {
      reading = this.readMeshFile(filename, place, unscaled);
      this.meshes.set(filename, reading);
    }
    return reading;
  }

  private async readMeshFile(filename: string, place: string, unscaled: boolean): Promise<ReadBody> {
    const { file, budget, options } = this;
    const extension = /\.([a-z0-9]+)$/i.exec(filename)?.[1].toLowerCase() ?? '';
    if (!meshFormats.has(extension)) {
      const advice = 'convert it to STL, OBJ or GLB, and name that file in the URDF';
      unsupportedFile(
        file,
        place,
        `the mesh ${quoted(filename)} is not of a format that is read here: ${advice}`,
      );
    }
    const { path, bytes } = await fetchFirst(file, place, filename, options);
    budget.hold(bytes.length);
    const { fetchBeside } = options;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const beside: FetchBeside | undefined =
      fetchBeside && ((relative, byteLength) => fetchBeside(folder + relative, byteLength));
    const label = nameBeside(file, path);
    const { bodies, warnings, unit } = await this.readMesh(label, bytes, beside);
    this.warnings.push(...warnings);
    if (unscaled && unit !== undefined && unit !== 1) {
      const units = `its unit is ${nameOfUnit(unit)}, but a URDF takes it as metres unless it gives a scale`;
      this.warnings.push(`${label}: ${units}`);
    }
    if (!bodies.some(({ mesh }) => mesh.triangleCount > 0)) badFile(label, '', 'it has no triangles');
    return mergeWithin(budget, label, filename, bodies);
  }
}

/** How far the triangles lie inside of the round shape: the radius less the smallest distance of a face. */
function tessellationOf(shape: Shape, { positions, indices }: Mesh): number {
  if (shape.kind === 'cylinder') return shape.radius * (1 - Math.cos(Math.PI / segments));
  if (shape.kind !== 'sphere') return 0;
  let least = shape.radius;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]].map(v =>
      positions.subarray(3 * v, 3 * v + 3),
    );
    const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    least = Math.min(least, Math.abs(nx * a[0] + ny * a[1] + nz * a[2]) / Math.hypot(nx, ny, nz));
  }
  return shape.radius - least;
}

/** The links from the root down to each. */
function partNames({ links, joints }: Description): Map<string, PartName> {
  const names = new Map<string, PartName>();
  for (const { parent, child } of joints) {
    const above = names.get(parent) ?? { name: parent, parent: undefined };
    names.set(parent, above);
    names.set(child, { name: child, parent: above });
  }
  for (const name of links.keys()) if (!names.has(name)) names.set(name, { name, parent: undefined });
  return names;
}
