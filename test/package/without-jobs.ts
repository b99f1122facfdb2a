/**
 * Code without the imports of the library's jobs. These name an address that is known when a program runs, so that no bundler splits
 * anything for them.
 */
export const withoutJobs = (code: string): string =>
  code.replace(/\bimport\(\s*(?:\/\*[^*]*\*\/\s*)*(?:url|[\w$]+\.jobs)\s*\)/g, 'jobs');
