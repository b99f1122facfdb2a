// The build makes this module from bench/results.

declare module 'virtual:recorded' {
  const recorded: readonly import('./recorded.ts').Recorded[];
  export default recorded;
}
