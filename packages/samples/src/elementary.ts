// Sine, cosine and so on, with the same bits in every JavaScript engine. They are the library's own, which its shapes are made with;
// it does not publish them, so they are taken from its sources.

export { arccosine, arctangent, cosine, sine, unitAt } from '../../nearfield/src/math/elementary/angles.ts';
export { cubeRoot, exponential, logarithm } from '../../nearfield/src/math/elementary/powers.ts';
