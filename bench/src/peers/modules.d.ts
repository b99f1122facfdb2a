// Packages without types of their own.
declare module 'draco3d';

/** The text of the library's jobs, bundled by itself (scripts/build.mjs). */
declare module 'library-jobs' {
  const text: string;
  export default text;
}

/** The text of a thread that finds frames of a motion, bundled by itself. */
declare module 'frames-thread' {
  const text: string;
  export default text;
}
