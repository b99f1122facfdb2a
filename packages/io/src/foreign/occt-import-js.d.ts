// occt-import-js brings no types. What is used of it, step/occt.ts declares.

declare module 'occt-import-js' {
  const open: unknown;
  export default open;
}
