// The live example without its frame: draws with three.js, asks the library on the CPU.

import { open } from 'nearfield';
import { bodyFromObject, curvesGeometry, keepPosed } from 'nearfield/three';
import {
  BufferGeometry,
  DirectionalLight,
  Float32BufferAttribute,
  Group,
  HemisphereLight,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  TorusGeometry,
  TorusKnotGeometry,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export interface Live {
  /** Moves the ring and asks again. */
  move(shift: number): void;
  close(): void;
}

/** Opens the example on a canvas. `say` gets the answer in words. */
export async function openLive(canvas: HTMLCanvasElement, say: (text: string) => void): Promise<Live> {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const world = new Scene();
  world.add(new HemisphereLight(0xffffff, 0x8090a0, 2.5));
  const sun = new DirectionalLight(0xffffff, 2);
  sun.position.set(3, 5, 4);
  world.add(sun);
  const camera = new PerspectiveCamera(35, 2, 0.1, 100);
  camera.position.set(0.8, 2.4, 7.5);
  const controls = new OrbitControls(camera, canvas);
  controls.enableZoom = false;
  const material = (color: number) => new MeshStandardMaterial({ color, roughness: 0.55 });
  const knot = new Mesh(new TorusKnotGeometry(1, 0.3, 160, 24), material(0x4a7fb5));
  const ring = new Mesh(new TorusGeometry(0.8, 0.2, 24, 64), material(0xd9a441));
  knot.name = 'knot';
  ring.name = 'ring';
  world.add(knot, ring);

  const nf = await open({ backend: 'cpu' });
  const near = nf.scene();
  const posed = keepPosed(near);
  const a = bodyFromObject(near, knot);
  const b = bodyFromObject(near, ring);
  const marks = new Group();
  world.add(marks);
  const ink = new LineBasicMaterial({ color: 0xd0103a, depthTest: false });

  async function ask(shift: number) {
    ring.position.set(1.75 + shift, 0.1, 0);
    ring.updateMatrixWorld();
    posed.update();
    const started = performance.now();
    const [pair] = (await near.interferences()).pairs;
    const drawn = new Group();
    if (pair === undefined) {
      const { distance, pointA, pointB } = await near.distance(a, b);
      const line = new BufferGeometry();
      line.setAttribute('position', new Float32BufferAttribute([...pointA, ...pointB], 3));
      drawn.add(new Line(line, ink));
      say(`separate, ${distance.toFixed(5)} apart: ${took(started)} for ${triangles()} triangles`);
    } else {
      const count = (pair.triangles.length / 2).toLocaleString('en');
      say(
        `${pair.relation}: ${count} pairs of triangles meet, found in ${took(started)} among ${triangles()} triangles`,
      );
      drawn.add(new LineSegments(curvesGeometry(await near.curves(a, b)), ink));
    }
    for (const mark of marks.children.flatMap(({ children }) => children)) (mark as Line).geometry.dispose();
    marks.clear();
    marks.add(drawn);
  }
  const took = (started: number) => `${Math.max(0.1, performance.now() - started).toFixed(1)} ms`;
  const triangles = () => (a.mesh.triangleCount + b.mesh.triangleCount).toLocaleString('en');

  await near.interferences(); // compiles, so that the first time shown is that of an answer
  // One question at a time: while one waits, only the newest shift counts.
  let wanted: number | undefined;
  let isAsking = false;
  let isClosed = false;
  renderer.setAnimationLoop(() => {
    const { clientWidth: width, clientHeight: height } = canvas;
    renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    // On a narrow screen the view is as wide as on others, and higher.
    camera.fov =
      (360 / Math.PI) * Math.atan(Math.tan((35 * Math.PI) / 360) * Math.max(1, 1.5 / camera.aspect));
    camera.updateProjectionMatrix();
    controls.update();
    renderer.render(world, camera);
    if (wanted === undefined || isAsking) return;
    const shift = wanted;
    wanted = undefined;
    isAsking = true;
    ask(shift)
      .catch(error => isClosed || say(String(error)))
      .finally(() => {
        isAsking = false;
      });
  });
  return {
    move(shift) {
      wanted = shift;
    },
    close() {
      isClosed = true;
      renderer.setAnimationLoop(null);
      controls.dispose();
      renderer.dispose();
      nf.close();
    },
  };
}
