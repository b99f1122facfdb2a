// A picture as a data URI, to embed in a page.

import { encodePng, type Pixels } from '@nearfield/io/png';

export const pngUri = (pixels: Pixels): string =>
  `data:image/png;base64,${Buffer.from(encodePng(pixels)).toString('base64')}`;
