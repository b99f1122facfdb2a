// The viewer of the report: turns a pictured pair around with three.js. The page carries this file as a script of its own,
// bundled and packed (scripts/report-scripts.mjs), and unpacks it when a reader first opens a pair.

import {
  AmbientLight,
  BufferAttribute,
  BufferGeometry,
  Color,
  DirectionalLight,
  DoubleSide,
  EdgesGeometry,
  FrontSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  OrthographicCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { cornerNormals } from '../draw/normals.ts';
import type { ViewerData, ViewerMesh, ViewerPair } from './data.ts';
import { unpack } from './packed.ts';

/** What the page calls. */
export interface Viewer {
  /** Shows a pair as in its picture. Resolves when it is on the screen. */
  show(pair: number): Promise<void>;
  /** Both bodies, or one of them. */
  showOnly(which: 'both' | 'a' | 'b'): void;
  /** Bodies as glass, so that what lies behind is seen. */
  seeThrough(isGlass: boolean): void;
  /** Moves the camera so that both bodies are seen as a whole. */
  fit(): void;
  /** Moves the camera back to where the picture was taken. */
  picture(): void;
}

export type CreateViewer = (canvas: HTMLCanvasElement, data: ViewerData) => Viewer;

const colors = { a: 0x5882b8, b: 0xe2b062, crossing: 0xd62030, touching: 0x1b7a6c, gap: 0xc41c8a };

/** Throws if the browser has no WebGL. */
const createViewer: CreateViewer = (canvas, { meshes, pairs }) => {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const camera = new OrthographicCamera();
  const controls = new OrbitControls(camera, canvas);
  controls.zoomToCursor = true;
  camera.up.set(0, 0, 1);
  const scene = new Scene();
  const lamp = new DirectionalLight(0xffffff, 2.4);
  scene.add(new AmbientLight(0xffffff, 1.1), lamp, lamp.target);
  const shapes = new Map<number, Promise<Shape>>();
  let shown: Shown | undefined;
  let view: ViewerPair | undefined;
  let asked = -1;

  const draw = (): void => {
    // The light moves with the camera, above it and to its left.
    lamp.position.set(-0.4, 0.7, 1).applyQuaternion(camera.quaternion).add(controls.target);
    lamp.target.position.copy(controls.target);
    renderer.render(scene, camera);
  };
  const resize = (): void => {
    const [width, height] = [Math.max(1, canvas.clientWidth), Math.max(1, canvas.clientHeight)];
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    renderer.setSize(width, height, false);
    camera.left = (-camera.top * width) / height;
    camera.right = -camera.left;
    camera.updateProjectionMatrix();
    for (const { material } of shown?.lines ?? []) material.resolution.set(width, height);
    draw();
  };
  controls.addEventListener('change', draw);
  new ResizeObserver(resize).observe(canvas);

  /** Looks at a point from a direction, with this height of the world in the picture. */
  const look = (at: Vector3, toward: Vector3, height: number): void => {
    const reach = shown!.radius + at.length();
    camera.zoom = 1;
    camera.top = height / 2;
    camera.bottom = -camera.top;
    [camera.near, camera.far] = [0, 8 * reach];
    camera.position.copy(at).addScaledVector(toward, 4 * reach);
    controls.target.copy(at);
    controls.update();
    resize();
  };
  const shapeOfCanvas = (): number => Math.max(1, canvas.clientHeight) / Math.max(1, canvas.clientWidth);
  const picture = (): void => {
    if (!view) return;
    // As much as the picture shows, on a tall screen too.
    const height = Math.max(view.height, view.width * shapeOfCanvas());
    look(new Vector3(), new Vector3(...view.toward), height);
  };

  return {
    async show(index) {
      asked = index;
      const pair = pairs[index];
      const known = (mesh: number) => {
        if (!shapes.has(mesh)) shapes.set(mesh, shapeOf(meshes[mesh]));
        return shapes.get(mesh)!;
      };
      const [a, b] = [await known(pair.a), await known(pair.b)];
      const next = await assemble(pair, [a, b], [meshes[pair.a], meshes[pair.b]]);
      // The reader has gone on meanwhile.
      if (asked !== index) return next.dispose();
      if (shown) {
        scene.remove(shown.group);
        shown.dispose();
      }
      [shown, view] = [next, pair];
      scene.add(next.group);
      picture();
    },
    showOnly(which) {
      if (!shown) return;
      shown.a.visible = which !== 'b';
      shown.b.visible = which !== 'a';
      draw();
    },
    seeThrough(isGlass) {
      if (!shown) return;
      for (const side of ['a', 'b'] as const) setGlass(shown[side], isGlass || view!.glass === side);
      draw();
    },
    fit() {
      if (!shown) return;
      const toward = camera.position.clone().sub(controls.target).normalize();
      look(shown.middle, toward, 2.1 * shown.radius * Math.max(1, shapeOfCanvas()));
    },
    picture,
  };
};

interface Shown {
  readonly group: Group;
  readonly a: Mesh<BufferGeometry, MeshLambertMaterial>;
  readonly b: Mesh<BufferGeometry, MeshLambertMaterial>;
  readonly lines: readonly LineSegments2[];
  /** The sphere around both bodies, from the point in the middle of the picture. */
  readonly middle: Vector3;
  readonly radius: number;
  dispose(): void;
}

/** The two bodies and their contact, around the point in the middle of the picture. */
async function assemble(
  pair: ViewerPair,
  [shapeA, shapeB]: readonly Shape[],
  [meshA, meshB]: readonly ViewerMesh[],
): Promise<Shown> {
  const group = new Group();
  const sides = [
    {
      ...shapeA,
      mesh: meshA,
      marks: pair.marksA,
      color: pair.glass === 'b' ? colors.crossing : colors.a,
      isGlass: pair.glass === 'a',
    },
    {
      ...shapeB,
      mesh: meshB,
      marks: pair.marksB,
      color: pair.glass === 'a' ? colors.crossing : colors.b,
      isGlass: pair.glass === 'b',
    },
  ];
  const [a, b] = await Promise.all(
    sides.map(async ({ shape, edges, mesh, marks, color, isGlass }) => {
      const marked = new Uint32Array(await unpack(marks));
      const own = shape.clone();
      own.setAttribute('color', tint(own, color, pair.kind, pair.glass === undefined ? marked : []));
      const drawn = new Mesh(own, new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
      drawn.position.fromArray(mesh.center.map((value, axis) => value - pair.center[axis]));
      setGlass(drawn, isGlass);
      if (edges) drawn.add(new LineSegments(edges, edgeMaterial));
      group.add(drawn);
      return drawn;
    }),
  );
  const segments = new Float32Array(await unpack(pair.segments));
  const lines = segments.length === 0 ? [] : curves(segments, pair.kind);
  for (const line of lines) group.add(line);
  const { middle, radius } = sphereOf([a, b]);
  const dispose = () => {
    for (const { geometry, material } of [a, b, ...lines]) {
      geometry.dispose();
      material.dispose();
    }
  };
  return { group, a, b, lines, middle, radius, dispose };
}

/** Bold where it is seen, fainter and thinner where a body hides it. */
function curves(segments: Float32Array, kind: ViewerPair['kind']): LineSegments2[] {
  const geometry = new LineSegmentsGeometry().setPositions(segments);
  const color = kind === 'gap' ? colors.gap : 0xfff6dc;
  const glow = kind === 'touching' ? colors.touching : kind === 'gap' ? colors.gap : 0xff2a3c;
  const styles = [
    { color: glow, linewidth: 3, opacity: 0.35, depthTest: false },
    { color: glow, linewidth: 9, opacity: 0.55, depthTest: true },
    { color, linewidth: 3, opacity: 1, depthTest: true },
  ];
  return styles.map((style, i) => {
    const material = new LineMaterial({
      ...{ ...style, transparent: true, depthWrite: false },
      // Curves lie on surfaces: without this they would flicker.
      ...{ polygonOffset: true, polygonOffsetFactor: -4, polygonOffsetUnits: -4 },
    });
    const drawn = new LineSegments2(geometry, material);
    drawn.renderOrder = 2 + i;
    drawn.frustumCulled = false;
    return drawn;
  });
}

function setGlass(mesh: Mesh<BufferGeometry, MeshLambertMaterial>, isGlass: boolean): void {
  const { material } = mesh;
  material.transparent = isGlass;
  material.opacity = isGlass ? 0.28 : 1;
  material.depthWrite = !isGlass;
  material.side = isGlass ? FrontSide : DoubleSide;
  // Pushed back a little, so that curves on the surface are in front of it.
  Object.assign(material, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  mesh.renderOrder = isGlass ? 1 : 0;
  material.needsUpdate = true;
}

interface Shape {
  /** Three corners per triangle. */
  readonly shape: BufferGeometry;
  /** Where faces meet at an angle; left out for large bodies, which would be black with them. */
  readonly edges: EdgesGeometry | undefined;
}

const edgeMaterial = new LineBasicMaterial({ color: 0x101820, transparent: true, opacity: 0.45 });
/** A body of more triangles has no edges drawn. */
const mostWithEdges = 30_000;

async function shapeOf({ positions, indices }: ViewerMesh): Promise<Shape> {
  const points = new Float32Array(await unpack(positions));
  const corners = new Uint32Array(await unpack(indices));
  const soup = new Float32Array(3 * corners.length);
  corners.forEach((vertex, i) => {
    soup.set(points.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
  });
  const normals = cornerNormals({ positions: Float64Array.from(points), indices: corners });
  const shape = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(soup, 3))
    .setAttribute('normal', new BufferAttribute(normals, 3));
  const isSmall = corners.length <= 3 * mostWithEdges;
  return { shape, edges: isSmall ? new EdgesGeometry(shape, 35) : undefined };
}

/** The colour of the body, and for triangles that meet the other body a mixture with that of contact. */
function tint(
  shape: BufferGeometry,
  own: number,
  kind: ViewerPair['kind'],
  marked: ArrayLike<number>,
): BufferAttribute {
  const [plain, mixed] = [new Color(own), new Color(own).lerp(new Color(colors[kind]), 0.2)];
  const values = new Float32Array(3 * shape.getAttribute('position').count);
  for (let i = 0; i < values.length; i += 3) plain.toArray(values, i);
  for (let m = 0; m < marked.length; m++) {
    for (let corner = 0; corner < 3; corner++) mixed.toArray(values, 9 * marked[m] + 3 * corner);
  }
  return new BufferAttribute(values, 3);
}

function sphereOf(bodies: readonly Mesh[]): { middle: Vector3; radius: number } {
  const [low, high] = [new Vector3().setScalar(Infinity), new Vector3().setScalar(-Infinity)];
  for (const { geometry, position } of bodies) {
    geometry.computeBoundingBox();
    low.min(geometry.boundingBox!.min.clone().add(position));
    high.max(geometry.boundingBox!.max.clone().add(position));
  }
  return { middle: low.clone().add(high).multiplyScalar(0.5), radius: low.distanceTo(high) / 2 || 1 };
}

Object.assign(globalThis, { nearfieldViewer: createViewer });
