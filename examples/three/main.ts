// A three.js page: a ring moves over a knot. Shows where they meet, or the shortest line between them, while it moves.
import { bodyFromObject, curvesGeometry, highlightGeometry, keepPosed, openWith } from 'nearfield/three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import * as THREE from 'three/webgpu';

const canvas = document.querySelector('canvas')!;
const slider = document.querySelector('input')!;
const output = document.querySelector('output')!;

const renderer = new THREE.WebGPURenderer({ canvas, antialias: true });
await renderer.init();
const world = new THREE.Scene();
world.background = new THREE.Color(0xf4f4f2);
world.add(new THREE.HemisphereLight(0xffffff, 0x8090a0, 2.5));
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(3, 5, 4);
world.add(sun);
const camera = new THREE.PerspectiveCamera(40, 2, 0.1, 100);
camera.position.set(0, 3, 8);
const controls = new OrbitControls(camera, canvas);

const glass = (color: number) => new THREE.MeshStandardMaterial({ color, roughness: 0.5 });
const knot = new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.3, 160, 24), glass(0x4a7fb5));
const ring = new THREE.Mesh(new THREE.TorusGeometry(0.8, 0.2, 24, 64), glass(0xd9a441));
world.add(knot, ring);

const nf = await openWith(renderer); // the renderer's device; without WebGPU, the CPU engine
const near = nf.scene();
const posed = keepPosed(near); // bodies follow their objects
const a = bodyFromObject(near, knot);
const b = bodyFromObject(near, ring);

const marks = new THREE.Group();
world.add(marks);
const red = new THREE.MeshBasicMaterial({ color: 'crimson', polygonOffset: true, polygonOffsetFactor: -2 });
const black = new THREE.LineBasicMaterial({ color: 'black', depthTest: false });

async function check() {
  ring.position.set(1.9 + Number(slider.value), 0, 0);
  ring.updateMatrixWorld();
  posed.update();
  const [pair] = await near.interferences();
  const drawn = new THREE.Group();
  if (pair) {
    drawn.add(new THREE.Mesh(highlightGeometry([pair], b), red));
    drawn.add(new THREE.LineSegments(curvesGeometry(await near.curves(a, b)), black));
    output.textContent = `${pair.relation}: ${pair.triangles.length / 2} pairs of triangles meet`;
  } else {
    const { distance, pointA, pointB } = await near.distance(a, b);
    const line = new THREE.BufferGeometry();
    line.setAttribute('position', new THREE.Float32BufferAttribute([...pointA, ...pointB], 3));
    drawn.add(new THREE.Line(line, black));
    output.textContent = `${distance.toFixed(4)} apart`;
  }
  marks.clear();
  marks.add(drawn);
}

// One question at a time: while one waits, only the newest position of the slider counts.
let isAsking = false;
let isStale = true;
slider.oninput = () => {
  isStale = true;
};
renderer.setAnimationLoop(() => {
  const { clientWidth: width, clientHeight: height } = canvas;
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  controls.update();
  renderer.render(world, camera);
  if (isStale && !isAsking) {
    isStale = false;
    isAsking = true;
    check().finally(() => {
      isAsking = false;
    });
  }
});
