// Names of files and of places in their structure, as people read them and rules match them.

/** The last part of a file's name, with its extension. Either slash separates folders. */
export const baseName = (file: string): string =>
  file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);

/** `House/Level 1/Wall 7`. */
export const pathText = (path: readonly string[]): string => path.join('/');
