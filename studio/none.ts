// Replaces modules that a page never runs: those of Node, which the decoders ask for only there, and the Draco encoder.

export default {};
