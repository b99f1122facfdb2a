// The WGSL of an application without its comments. What they say must not be taken for code: the names that a module
// declares, and its bindings, are looked up in its text.

// WGSL has more ends of lines than JavaScript.
const lineEnd = /[\n\v\f\r\u0085\u2028\u2029]/;

/**
 * The text with spaces for comments. All lines stay. Comments between slashes and stars are nested; one that does not
 * end stays open, so that the compiler refuses it.
 */
export function withoutComments(wgsl: string): string {
  let code = '';
  let depth = 0;
  let isLine = false;
  for (let at = 0; at < wgsl.length; at++) {
    const mark = isLine ? '' : wgsl.slice(at, at + 2);
    if (lineEnd.test(wgsl[at])) {
      isLine = false;
      code += wgsl[at];
    } else if (mark === '/*' || (mark === '*/' && depth > 0)) {
      depth += mark === '/*' ? 1 : -1;
      code += '  ';
      at++;
    } else {
      if (mark === '//' && depth === 0) isLine = true;
      code += isLine || depth > 0 ? ' ' : wgsl[at];
    }
  }
  return depth > 0 ? `${code}/*` : code;
}
