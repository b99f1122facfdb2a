// A review as data: models by the hashes of their files, poses, camera, section, rules, statuses. It is what the page
// keeps against a reload, and what a review file has.

import { JsonReader, noStatuses, parseStatuses, renderStatuses } from '@nearfield/clashes';
import type { TextFile } from '../engine/types.ts';
import type { DocumentBody, JointsByFile, Section, StudioDocument } from './document.ts';

/** Where the camera is, in world coordinates. */
export interface CameraData {
  readonly position: readonly number[];
  readonly target: readonly number[];
  readonly up: 'y' | 'z';
}

export interface ReviewFile {
  readonly name: string;
  readonly hash: string;
  readonly beside: readonly { readonly name: string; readonly hash: string }[];
}

export interface ReviewBody {
  /** The index of its file; -1 for the sample. */
  readonly file: number;
  /** Its number among the bodies of its file. */
  readonly index: number;
  readonly name: string;
  readonly colour: string;
  readonly visible: boolean;
  readonly pose: readonly number[];
}

/** A file of poses or joint values, by its hash like the models. */
export interface ReviewMotion {
  readonly name: string;
  readonly hash: string;
  /** What the bodies of the review were called when it was read. */
  readonly names: readonly string[];
  /** The frame that is shown. */
  readonly frame: number;
}

export interface ReviewData {
  readonly kind: 'nearfield-review';
  readonly version: 1;
  readonly files: readonly ReviewFile[];
  readonly bodies: readonly ReviewBody[];
  readonly unit?: number | undefined;
  readonly clearance: number;
  readonly tolerance?: number | 'file' | undefined;
  readonly rules?: TextFile | undefined;
  /** The text of a statuses file. */
  readonly statuses?: string | undefined;
  readonly section?: Section | undefined;
  readonly motion?: ReviewMotion | undefined;
  readonly joints?: JointsByFile | undefined;
  readonly camera?: CameraData | undefined;
  /** The two bodies of the chosen pair, by index. */
  readonly chosen?: readonly number[] | undefined;
}

export function reviewOf(
  document: StudioDocument,
  camera: CameraData,
  chosen: readonly number[] | undefined,
): ReviewData {
  const { files, bodies, unit, clearance, tolerance, rules, statuses, section, motion, frame } = document;
  const { joints } = document;
  const places = new Map(bodies.map(({ id }, i) => [id, i]));
  return {
    kind: 'nearfield-review',
    version: 1,
    files: files.map(({ name, hash, beside }) => ({ name, hash, beside })),
    bodies: bodies.map(({ name, colour, visible, pose, file, origin }) => ({
      file: files.findIndex(each => each.name === file && each.hash === origin.hash),
      ...{ index: origin.index, name, colour, visible, pose: [...pose] },
    })),
    ...{ unit, clearance, tolerance, rules, section, camera },
    ...(motion && {
      motion: {
        ...{ name: motion.name, hash: motion.hash, frame },
        names: bodies.map(({ id, name }) => motion.names.get(id) ?? name),
      },
    }),
    ...(Object.keys(joints).length > 0 && { joints }),
    ...(statuses.clashes.size > 0 && { statuses: renderStatuses(statuses) }),
    ...(chosen && { chosen: chosen.flatMap(id => places.get(id) ?? []) }),
  };
}

/** Throws 'bad-file'. */
export function parseReview(file: string, text: string): ReviewData {
  const root = JsonReader.read(file, text);
  root.need('kind').oneOf(['nearfield-review']);
  const version = root.need('version');
  if (version.value !== 1) version.expected('1; a newer Nearfield may have written this file');
  const hashed = (at: JsonReader) => ({ name: at.need('name').text(), hash: at.need('hash').text() });
  const files = root
    .need('files')
    .items()
    .map(at => ({ ...hashed(at), beside: at.need('beside').items().map(hashed) }));
  const bodies = root
    .need('bodies')
    .items()
    .map((at): ReviewBody => {
      const colour = at.need('colour').text();
      if (!/^#[\da-f]{6}$/i.test(colour)) at.need('colour').expected('a colour such as #6f94c8');
      const from = at.need('file');
      return {
        file: from.value === -1 ? -1 : from.index(files.length),
        index: at.need('index').size(),
        name: at.need('name').text(),
        colour,
        visible: at.need('visible').value === true,
        pose: at.need('pose').numbers(16),
      };
    });
  const rules = root.get('rules');
  const statuses = root.get('statuses')?.text();
  if (statuses !== undefined) parseStatuses(`${file}: the statuses`, statuses);
  const tolerance = root.get('tolerance');
  return {
    ...{ kind: 'nearfield-review', version: 1, files, bodies },
    unit: root.get('unit')?.size(),
    clearance: root.need('clearance').size(),
    tolerance: tolerance?.value === 'file' ? 'file' : tolerance?.size(),
    rules: rules && { name: rules.need('name').text(), text: rules.need('text').text() },
    ...{ statuses, section: sectionOf(root.get('section')), camera: cameraOf(root.get('camera')) },
    ...{ motion: motionOf(root.get('motion')), joints: jointsOf(root.get('joints')) },
    chosen: root
      .get('chosen')
      ?.items()
      .map(at => at.index(bodies.length)),
  };
}

function sectionOf(at: JsonReader | undefined): Section | undefined {
  if (at === undefined) return undefined;
  const axis = at.need('axis').index(3) as 0 | 1 | 2;
  const box = at.get('box')?.numbers(6);
  const flipped = at.need('flipped').value === true;
  return { axis, at: at.need('at').number(), flipped, ...(box && { box }) };
}

function motionOf(at: JsonReader | undefined): ReviewMotion | undefined {
  if (at === undefined) return undefined;
  const names = at
    .need('names')
    .items()
    .map(name => name.text());
  return {
    ...{ name: at.need('name').text(), hash: at.need('hash').text(), names },
    frame: at.need('frame').index(2 ** 31),
  };
}

function jointsOf(at: JsonReader | undefined): JointsByFile | undefined {
  return (
    at &&
    Object.fromEntries(
      [...at.entries()].map(([file, values]) => [
        file,
        Object.fromEntries([...values.entries()].map(([name, value]) => [name, value.number()])),
      ]),
    )
  );
}

function cameraOf(at: JsonReader | undefined): CameraData | undefined {
  if (at === undefined) return undefined;
  const up = at.need('up').oneOf(['y', 'z']);
  return { position: at.need('position').numbers(3), target: at.need('target').numbers(3), up };
}

/** The document's settings of a review, without its bodies. */
export const settingsOf = ({ clearance, tolerance, rules, statuses, section, joints = {} }: ReviewData) => ({
  ...{ clearance, tolerance, rules, section, joints },
  statuses:
    statuses === undefined
      ? noStatuses('nearfield-statuses.json')
      : parseStatuses('nearfield-statuses.json', statuses),
});

/** A body as the review has it, on top of what was read. */
export const withReview = (
  read: DocumentBody,
  { name, colour, visible, pose }: ReviewBody,
): DocumentBody => ({
  ...read,
  ...{ name, colour, visible, pose: Float64Array.from(pose) },
});
