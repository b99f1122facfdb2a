// A picture within a page itself.

import { encodePng, type Pixels } from '@nearfield/io/png';

export const pngUri = (pixels: Pixels): string =>
  `data:image/png;base64,${Buffer.from(encodePng(pixels)).toString('base64')}`;
