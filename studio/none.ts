// Replaces modules that a page never runs: the file system, which the Draco decoder uses only in Node, the Draco
// encoder, and readers of IFC and STEP, which the studio does not carry.

export default {};
