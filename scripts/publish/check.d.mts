/** The folders and manifests of the packages that are published. */
export function publishedPackages(): readonly { folder: string; name: string; version: string }[];
/** What publint finds wrong with a package, in words. */
export function lintPackage(folder: string): Promise<string[]>;
/** What npm would correct in the manifest of a package when it publishes it, in words. */
export function correctionsOf(folder: string): string[];
/** What is installed in a folder, as a CycloneDX list, by its lock file. */
export function sbomOf(folder: string): object;
/** An SBOM with the packages whose code the command line and the studio carry, by their THIRD-PARTY.txt. */
export function withBundled(sbom: object, notices: readonly string[]): object;
/** The notices beside the bundles of the command line and of the studio that it carries. */
export function bundledNotices(): string[];
/** Name, version and licence of everything in an SBOM, in order. */
export function licencesIn(sbom: object): { name: string; version: string; licence: string }[];
