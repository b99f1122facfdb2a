// occt-import-js brings no types. step/occt.ts declares the part of it that is used.

declare module 'occt-import-js' {
  const open: unknown;
  export default open;
}
