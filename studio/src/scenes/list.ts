// All scenes, each with its paper and the paper's figures.

import type { Control, Key, SceneInfo } from './types.ts';

export const markColours = {
  lit: '#d43a3a',
  missed: '#c81e9c',
  point: '#b3261e',
  way: '#0b62c4',
  stone: '#7f9db5',
  struck: '#e3603c',
} as const;

const litTriangles: Key = { colour: markColours.lit, text: 'triangles that meet' };
const penetrating: readonly Key[] = [
  { colour: markColours.point, text: 'points in both bodies' },
  { colour: markColours.way, text: 'their shortest way out' },
];

const triangles = (value: number, high: number): Control => ({
  name: 'triangles',
  label: 'triangles',
  range: [2000, high, 1000],
  value,
});
const response: Control = { name: 'response', label: 'push each other apart', value: false };
const tolerance = (value: number): Control => ({
  ...{ name: 'tolerance', label: 'tolerance', range: [0.02, 0.1, 0.005], value, live: true },
});
const arrows = (value: number): Control => ({
  ...{ name: 'arrows', label: 'arrow length factor', range: [1, 20, 1], value, live: true },
});

const gress = {
  title: 'Object-Space Interference Detection on Programmable Graphics Hardware',
  authors: 'Greß and Zachmann',
  year: 2004,
} as const;
const govindaraju = {
  title: 'Fast and Reliable Collision Culling using Graphics Hardware',
  authors: 'Govindaraju, Lin and Manocha',
  year: 2004,
} as const;
const hoff = {
  title:
    'Fast 3D Geometric Proximity Queries between Rigid and Deformable Models Using Graphics Hardware Acceleration',
  authors: 'Hoff, Zaferakis, Lin and Manocha',
  year: 2002,
} as const;
const knott = {
  title: 'CInDeR: Collision and Interference Detection in Real Time Using Graphics Hardware',
  authors: 'Knott',
  year: 2003,
} as const;

export const sceneList: readonly SceneInfo[] = [
  {
    name: 'rotating',
    look: 'pairs of triangles',
    title: 'Rotating pair',
    sentence:
      'Two copies of one body, one of them turning. Every triangle that meets the other body is highlighted.',
    paper: {
      ...gress,
      figure:
        'the time per step grows with the number of triangles that meet, not with the number of all pairs',
    },
    controls: [
      { name: 'distance', label: 'distance between the centres', range: [0.2, 2, 0.1], value: 1.2 },
      triangles(40_000, 200_000),
    ],
    keys: [litTriangles],
    hood: 'hierarchy/rotating',
    up: 'z',
  },
  {
    name: 'boxes',
    look: 'pairs of bodies',
    title: 'Ten thousand boxes',
    sentence: 'Every box moves in every step. Boxes that meet another are highlighted.',
    paper: {
      ...knott,
      figure: 'time grows in proportion to the number of bodies, up to 10,000',
    },
    controls: [
      { name: 'count', label: 'boxes', range: [100, 20_000, 100], value: 10_000 },
      { name: 'turning', label: 'turning', value: true },
    ],
    keys: [{ colour: markColours.lit, text: 'boxes that meet another' }],
    hood: 'raycast/rotating',
    up: 'z',
  },
  {
    name: 'breaking',
    look: 'pairs of bodies',
    title: 'Breaking dragon',
    sentence:
      'A rabbit falls on a dragon, which breaks into hundreds of closed pieces. Each piece is a new body, and is asked about in the frame in which it appears.',
    paper: {
      ...govindaraju,
      figure: '35 to 50 ms per step for a dragon of 112,000 triangles; 6.9 times fewer pairs than by boxes',
      milliseconds: [35, 50],
      settings: { triangles: 112_000, pieces: 340 },
    },
    controls: [
      triangles(12_000, 112_000),
      { name: 'pieces', label: 'pieces', range: [20, 340, 20], value: 120 },
    ],
    keys: [litTriangles],
    hood: 'visibility/bunnies',
    up: 'z',
  },
  {
    name: 'leaves',
    look: 'pairs of triangles',
    title: 'Tree with leaves',
    sentence: 'Leaves of 156 triangles bend as they fall through the branches, and rest on them for a while.',
    paper: {
      ...govindaraju,
      figure: '35 ms per step for 40,000 triangles and 150 leaves',
      milliseconds: [35, 35],
      settings: { leaves: 150 },
    },
    controls: [{ name: 'leaves', label: 'leaves', range: [20, 300, 10], value: 150 }],
    keys: [litTriangles],
    hood: 'visibility/bunnies',
    up: 'z',
  },
  {
    name: 'bunnies',
    look: 'missed by CULLIDE',
    title: 'Two rabbits, exact and by CULLIDE',
    sentence:
      'One rabbit turns inside another. The exact method finds every pair of triangles. CULLIDE takes one sample per pixel and discards triangles that no sample shows behind the other rabbit, so it misses pairs of small triangles, drawn in magenta.',
    paper: {
      ...govindaraju,
      figure: 'at 1400 × 1400 pixels CULLIDE misses many of the 2,000 to 4,000 pairs of 68,000 triangles',
    },
    controls: [
      triangles(20_000, 68_000),
      { name: 'resolution', label: 'pixels per side', range: [64, 2048, 64], value: 512, live: true },
    ],
    keys: [
      { colour: markColours.lit, text: 'triangles that meet' },
      { colour: markColours.missed, text: 'triangles that CULLIDE misses' },
    ],
    withoutGpu: 'CULLIDE needs a GPU, and this page has none: only the exact answer is shown.',
    hood: 'visibility/bunnies',
    up: 'z',
  },
  {
    name: 'jaws',
    look: 'least distance, mm',
    title: 'Jaws and their map',
    sentence:
      'An upper and a lower jaw come together. The map shows how far apart they are along parallel lines from one to the other: on the teeth, and flat, seen from above. The gums are not asked about.',
    paper: {
      title: 'Fast collision detection between complex solids using rasterizing graphics hardware',
      authors: 'Myszkowski, Okunev and Kunii',
      year: 1995,
      figure: '300 to 490 ms where the teeth touch, 1,110 to 1,780 ms closed; an error of 0.0009 mm',
      milliseconds: [300, 1780],
      settings: { pixel: 0.1, all: false },
    },
    controls: [
      { name: 'all', label: 'all 28 teeth, not five molars as in the paper', value: true },
      { name: 'pixel', label: 'mm per pixel', range: [0.1, 0.5, 0.05], value: 0.2, live: true },
      { name: 'farthest', label: 'largest distance, mm', range: [0.5, 5, 0.5], value: 3, live: true },
    ],
    keys: [],
    hood: 'layers/jaws',
    up: 'z',
    seenFrom: [0.45, 0.85, 0.32],
  },
  {
    name: 'tori',
    look: 'penetrating points',
    title: 'Tori',
    sentence:
      'Two rings deform all the time, through each other. Points in both are drawn, with their shortest way out.',
    paper: { ...hoff, figure: '71 ms for 1,412 points', milliseconds: [71, 71], points: 1412 },
    controls: [response, tolerance(0.035), arrows(1)],
    keys: penetrating,
    clear: 'all',
    hood: 'field/tori',
    up: 'z',
  },
  {
    name: 'rings',
    look: 'penetrating points',
    title: 'Falling rings',
    sentence:
      'Rings of fifteen thousand triangles fall into a bowl. They push each other apart in proportion to their depth.',
    paper: {
      ...hoff,
      figure: '313 ms for 2,537 points of six rings',
      milliseconds: [313, 313],
      settings: { count: 6 },
      points: 2537,
    },
    controls: [{ name: 'count', label: 'rings', range: [2, 10, 1], value: 6 }, tolerance(0.03), arrows(10)],
    keys: penetrating,
    clear: 'first',
    hood: 'field/tori',
    up: 'z',
  },
  {
    name: 'heart',
    look: 'penetrating points',
    title: 'Beating heart',
    sentence:
      'A heart beats: its two ventricles fill and press into each other at the wall between them. Points in both are drawn, with their shortest way out. Atria and vessels are not asked about.',
    paper: { ...hoff, figure: '149 ms for 317 points', milliseconds: [149, 149], points: 317 },
    controls: [response, tolerance(0.035), arrows(8)],
    keys: penetrating,
    clear: 'all',
    hood: 'field/heart',
    up: 'z',
    seenFrom: [-0.1, -0.95, 0.25],
  },
  {
    name: 'cloth',
    look: 'pairs of its own triangles',
    title: 'Cloth folding on itself',
    sentence:
      'A cloth falls over a turning ball and winds around it. Triangles that meet the cloth itself are highlighted.',
    paper: { ...govindaraju, figure: 'cloth of 92,000 triangles; no times are given' },
    controls: [triangles(10_000, 92_000)],
    keys: [{ colour: markColours.lit, text: 'triangles that meet the cloth itself' }],
    up: 'z',
  },
  {
    name: 'hail',
    look: 'impacts so far',
    title: 'Hail, and its sound',
    sentence:
      'The life of every stone is a formula, so what it hits, where and when is known in advance, and can be heard. Every object has a map of where it was hit.',
    paper: {
      ...knott,
      figure: 'hail on a house, a gazebo, a table and a can; no times are given',
    },
    controls: [{ name: 'count', label: 'stones', range: [500, 50_000, 500], value: 1500 }],
    keys: [
      { colour: markColours.stone, text: 'stones' },
      { colour: markColours.struck, text: 'the last 1,200 impacts' },
    ],
    sounds: true,
    up: 'z',
  },
];
