// The module of boxes and spheres: the functions that TypeScript calls (kernels.ts), and what it knows of their memory.

export {
  RegionRecord,
  RegionsJob,
  regionsBytes,
  searchRegions,
  wantAny,
  wantCount,
  wantList,
} from './search.as';
export { wordCounterBytes } from './sort-words.as';
