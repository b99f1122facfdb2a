// Packages without types of their own.
declare module 'draco3d';

/** The text of the library's jobs, bundled by itself (scripts/build.mjs). */
declare module 'library-jobs' {
  const text: string;
  export default text;
}
