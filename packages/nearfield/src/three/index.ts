// The adapter for three.js, an entry point of its own: `import { … } from 'nearfield/three'`.

export {
  geometryFromMesh,
  type MeshFromGeometryOptions,
  meshFromGeometry,
  type TriangleRange,
} from './geometry.ts';
export { bodiesFromObject, bodyFromObject, type FromObjectOptions } from './objects.ts';
export { openWith } from './open-with.ts';
export {
  arrowsGeometry,
  curvesGeometry,
  type HighlightOptions,
  highlightGeometry,
  type OverlayOptions,
  trianglesGeometry,
} from './overlay.ts';
export { keepPosed, type Posed } from './posed.ts';
