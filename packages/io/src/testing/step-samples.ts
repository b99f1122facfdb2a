// Small STEP files: boxes with planar faces, in an assembly, in any unit, with a part that another file has.

import { encode } from './samples.ts';

export interface StepSample {
  /** The record of the length unit, without its number. Millimetres unless given. */
  readonly unit?: string;
  /** Records after the others. */
  readonly more?: string;
  /** Edges of the box along x, y and z. */
  readonly size?: readonly [number, number, number];
  /** The file that has the shape of the box. The box has none here then. */
  readonly outside?: string;
  /** Where the instances of the box stand. Each stands in an assembly, which is an instance of its own. */
  readonly at?: readonly (readonly [number, number, number])[];
}

const header =
  "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\n" +
  "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n";

const real = (x: number): string => (Number.isInteger(x) ? `${x}.` : `${x}`);

/** An inch as STEP writes it: 25.4 mm. */
export const inch = "( CONVERSION_BASED_UNIT('INCH',#7) LENGTH_UNIT() NAMED_UNIT(#9) )";

/** Two or more instances of one box in an assembly "pair", or one box without an assembly. */
export function stepText({ unit, more = '', size = [10, 20, 30], at, outside }: StepSample = {}): string {
  const records: string[] = [
    "#1=APPLICATION_CONTEXT('automotive design');",
    "#2=PRODUCT_CONTEXT('',#1,'mechanical');",
    "#3=PRODUCT_DEFINITION_CONTEXT('part definition',#1,'design');",
    `#4=${unit ?? '( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) )'};`,
    '#5=( NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.) );',
    '#6=( NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT() );',
    '#7=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#8);',
    '#8=( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );',
    '#9=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);',
    "#10=UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-05),#4,'distance_accuracy_value','');",
    '#11=( GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#10)) ' +
      "GLOBAL_UNIT_ASSIGNED_CONTEXT((#4,#5,#6)) REPRESENTATION_CONTEXT('','') );",
  ];
  let next = 12;
  const add = (text: string): string => {
    records.push(`#${next}=${text};`);
    return `#${next++}`;
  };
  const point = (p: readonly number[]) => add(`CARTESIAN_POINT('',(${p.map(real).join()}))`);
  const direction = (d: readonly number[]) => add(`DIRECTION('',(${d.map(real).join()}))`);
  const axis = (p: readonly number[], z: readonly number[] = [0, 0, 1], x: readonly number[] = [1, 0, 0]) =>
    add(`AXIS2_PLACEMENT_3D('',${point(p)},${direction(z)},${direction(x)})`);
  const product = (name: string) => {
    const made = add(`PRODUCT('${name}','${name}','',(#2))`);
    const formation = add(`PRODUCT_DEFINITION_FORMATION('','',${made})`);
    const definition = add(`PRODUCT_DEFINITION('design','',${formation},#3)`);
    return { definition, shape: add(`PRODUCT_DEFINITION_SHAPE('','',${definition})`) };
  };

  const box = product('box');
  const frame = axis([0, 0, 0]);
  const shape =
    outside === undefined
      ? add(
          `ADVANCED_BREP_SHAPE_REPRESENTATION('',(${frame},${boxSolid(size, { add, point, direction, axis })}),#11)`,
        )
      : add(`SHAPE_REPRESENTATION('',(${frame}),#11)`);
  if (outside !== undefined) {
    const file = add(`DOCUMENT_FILE('${outside}','','',${add("DOCUMENT_TYPE('geometry')")},'',$)`);
    add(`APPLIED_DOCUMENT_REFERENCE(${file},'',(${box.definition}))`);
  }
  add(`SHAPE_DEFINITION_REPRESENTATION(${box.shape},${shape})`);
  if (at) {
    const pair = product('pair');
    const places = at.map(p => axis(p, [0, 0, 1], [0, 1, 0]));
    const whole = add(`SHAPE_REPRESENTATION('',(${[axis([0, 0, 0]), ...places].join()}),#11)`);
    add(`SHAPE_DEFINITION_REPRESENTATION(${pair.shape},${whole})`);
    places.forEach((place, i) => {
      const use = `NEXT_ASSEMBLY_USAGE_OCCURRENCE('${i}','box ${i}','',${pair.definition},${box.definition},$)`;
      const used = add(`PRODUCT_DEFINITION_SHAPE('','',${add(use)})`);
      const moved = add(`ITEM_DEFINED_TRANSFORMATION('','',${frame},${place})`);
      const relation = add(
        `( REPRESENTATION_RELATIONSHIP('','',${shape},${whole}) ` +
          `REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(${moved}) SHAPE_REPRESENTATION_RELATIONSHIP() )`,
      );
      add(`CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(${relation},${used})`);
    });
  }
  return `${header}${records.join('\n')}\n${more}ENDSEC;\nEND-ISO-10303-21;\n`;
}

/** Fetches from texts by path, and notes what was asked for. */
export function folder(texts: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const fetchBeside = async (path: string) => {
    asked.push(path);
    if (!Object.hasOwn(texts, path)) throw new Error(`${path}: no such file`);
    return encode(texts[path]);
  };
  return { asked, fetchBeside };
}

interface Writer {
  add(text: string): string;
  point(p: readonly number[]): string;
  direction(d: readonly number[]): string;
  axis(p: readonly number[], z: readonly number[], x: readonly number[]): string;
}

/** A box from the origin, of six faces that share their edges. */
function boxSolid(size: readonly number[], { add, point, direction, axis }: Writer): string {
  const corner = (i: number) => [0, 1, 2].map(k => ((i >> k) & 1) * size[k]);
  const vertices = Array.from({ length: 8 }, (_, i) => add(`VERTEX_POINT('',${point(corner(i))})`));
  const edges = new Map<string, string>();
  /** The edge from a to b, used in its own direction or the other. */
  const edge = (a: number, b: number): string => {
    const [from, to] = a < b ? [a, b] : [b, a];
    const key = `${from},${to}`;
    let made = edges.get(key);
    if (made === undefined) {
      const along = corner(to).map((x, k) => Math.sign(x - corner(from)[k]));
      const line = add(`LINE('',${point(corner(from))},${add(`VECTOR('',${direction(along)},1.)`)})`);
      made = add(`EDGE_CURVE('',${vertices[from]},${vertices[to]},${line},.T.)`);
      edges.set(key, made);
    }
    return add(`ORIENTED_EDGE('',*,*,${made},${a < b ? '.T.' : '.F.'})`);
  };
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ].map(loop => {
    const bound = loop.map((a, i) => edge(a, loop[(i + 1) % 4]));
    const [p, q, r] = loop.map(corner);
    const x = q.map((v, k) => Math.sign(v - p[k]));
    const y = r.map((v, k) => Math.sign(v - q[k]));
    const z = [0, 1, 2].map(k => x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3]);
    const plane = add(`PLANE('',${axis(p, z, x)})`);
    const outer = add(`FACE_OUTER_BOUND('',${add(`EDGE_LOOP('',(${bound.join()}))`)},.T.)`);
    return add(`ADVANCED_FACE('',(${outer}),${plane},.T.)`);
  });
  return add(`MANIFOLD_SOLID_BREP('',${add(`CLOSED_SHELL('',(${faces.join()}))`)})`);
}
