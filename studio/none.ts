// Replaces modules that a page never runs: the file system, which the Draco decoder uses only in Node, and the Draco
// encoder.

export default {};
