// Ambient shading of a picture at rest: creases and gaps between bodies are darker, as in the pictures of the report.
// Ground-truth ambient occlusion (Jimenez, Wu, Pesce and Jarabo 2016) from the depths of what is opaque. This module is
// loaded when the first picture is shaded.

import { ao } from 'three/addons/tsl/display/GTAONode.js';
import {
  context,
  Fn,
  float,
  pass,
  perspectiveDepthToViewZ,
  reference,
  screenUV,
  step,
  texture,
  uniform,
  uv,
  vec2,
} from 'three/tsl';
import {
  MeshLambertNodeMaterial,
  type Node,
  type NodeBuilder,
  type PerspectiveCamera,
  RenderPipeline,
  RenderTarget,
  type Scene,
  type TextureNode,
  Vector2,
  type WebGPURenderer,
} from 'three/webgpu';

/** How far an obstacle may be, as a share of the height of the picture at the point that is looked at. */
const reach = 0.09;
/** The directions of neighbouring pixels differ; the pattern repeats after this many pixels. */
const period = 5;
/** The power of the openness: above 1 for the strength of the report, which darkens lamp light too. */
const strength = 2.2;

export class Ambient {
  readonly #renderer: WebGPURenderer;
  readonly #camera: PerspectiveCamera;
  readonly #occlusion: ReturnType<typeof ao>;
  /** Per pixel, the share of the sky that its neighbourhood leaves open. */
  readonly #open = new RenderTarget(1, 1, { depthBuffer: false });
  readonly #shading: RenderPipeline;
  readonly #drawing: RenderPipeline;
  readonly #size = new Vector2();
  readonly #pixel = uniform(new Vector2());
  readonly #sameSurface = uniform(1);

  constructor(renderer: WebGPURenderer, scene: Scene, camera: PerspectiveCamera) {
    this.#renderer = renderer;
    this.#camera = camera;
    // Only what is opaque: neither glass, ghosts nor marks cast a shade.
    const depths = pass(scene, camera, { samples: 0 });
    depths.transparent = false;
    const depth = depths.getTextureNode('depth');
    // Without normals it takes them from the depths; its types do not say so.
    this.#occlusion = ao(depth, null as unknown as Node, camera);
    this.#occlusion.scale.value = strength;
    this.#shading = new RenderPipeline(renderer, this.#smoothed(depth));
    this.#shading.outputColorTransform = false;
    const shade = texture(this.#open.texture, screenUV).r;
    // In a target of its own: on the canvas, three.js would compile all materials anew for every change of the context.
    const picture = pass(scene, camera);
    picture.contextNode = context({
      // Lit surfaces only: the cap of a section is a flat drawing.
      getAO: (own: Node | null, { material }: NodeBuilder) =>
        material instanceof MeshLambertNodeMaterial && !material.transparent ? shade : own,
    });
    this.#drawing = new RenderPipeline(renderer, picture);
  }

  /** `away`: the distance of the point that is looked at. */
  render(away: number): void {
    const height = 2 * away * Math.tan((this.#camera.fov * Math.PI) / 360);
    this.#occlusion.radius.value = reach * height;
    this.#occlusion.thickness.value = reach * height;
    this.#sameSurface.value = 0.02 * height;
    const { x, y } = this.#renderer.getDrawingBufferSize(this.#size);
    this.#pixel.value.set(1 / x, 1 / y);
    this.#open.setSize(x, y);
    this.#renderer.setRenderTarget(this.#open);
    this.#shading.render();
    this.#renderer.setRenderTarget(null);
    this.#drawing.render();
  }

  /** The mean over one period of the pattern, of pixels about as deep as this one. */
  #smoothed(depth: TextureNode): Node {
    const open = this.#occlusion.getTextureNode();
    const [near, far] = [reference('near', 'float', this.#camera), reference('far', 'float', this.#camera)];
    const zAt = (place: Node<'vec2'>) => perspectiveDepthToViewZ(depth.sample(place).r, near, far);
    return Fn(() => {
      const own = zAt(uv()).toVar();
      const [sum, weights] = [float(0).toVar(), float(0).toVar()];
      for (let i = 0; i < period * period; i++) {
        const offset = vec2((i % period) - (period - 1) / 2, Math.floor(i / period) - (period - 1) / 2);
        const place = uv().add(this.#pixel.mul(offset));
        const weight = step(zAt(place).sub(own).abs(), this.#sameSurface);
        sum.addAssign(open.sample(place).r.mul(weight));
        weights.addAssign(weight);
      }
      // The pixel itself always counts.
      return sum.div(weights);
    })();
  }
}
