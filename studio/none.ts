// In place of modules that a page never runs: the file system, in a branch of the Draco decoder that is for Node, and its encoder.

export default {};
