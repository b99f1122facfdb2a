// What is sampled, and the steps of methods: a scene loads their code together, since both are made for pictures.

export { steps } from './entries/inspect.ts';
export * from './entries/sampled.ts';
