// Text for XML documents: JUnit and BCF.

import { visible } from './escape.ts';

/**
 * Text as the content of an element or attribute. XML 1.0 does not allow control characters and two other code points
 * in any form, so they are written as the escapes that every other output has.
 */
export const xmlText = (text: string): string =>
  visible(text)
    .replace(/[\ufffe\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16)}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
