/** The folders and manifests of the packages that are published. */
export function publishedPackages(): readonly { folder: string; name: string; version: string }[];
/** What publint finds wrong with a package, in words. */
export function lintPackage(folder: string): Promise<string[]>;
/** What is installed in a folder, as a CycloneDX list, by its lock file. */
export function sbomOf(folder: string): object;
/** Name, version and licence of everything in an SBOM, in order. */
export function licencesIn(sbom: object): { name: string; version: string; licence: string }[];
