// JSX calls React's own functions: no file has to import React for it.
export default { esbuild: { jsx: 'automatic' } };
