// Which document of the repository stands at which address of the site. Others keep their path.

const moved = {
  'site/pages/index.md': 'index.md',
  'site/pages/begin.md': 'begin.md',
  'ARCHITECTURE.md': 'architecture.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CODE_OF_CONDUCT.md': 'conduct.md',
  'SECURITY.md': 'security.md',
  'packages/nearfield/README.md': 'library.md',
  'packages/io/README.md': 'files.md',
  'packages/cli/README.md': 'cli/index.md',
  'packages/samples/README.md': 'samples.md',
  'studio/README.md': 'about-studio.md',
  'bench/README.md': 'benchmarks/method.md',
};

/** The address of a page, from the path of its document in the repository. */
export function addressOf(document) {
  return (
    moved[document] ??
    document
      .replace(/^docs\//, '')
      .replace(/^site\/generated\//, '')
      .replace(/^bench\/results\//, 'benchmarks/')
      .replace(/^packages\/nearfield\/src\//, 'proofs/')
      .replace(/(^|\/)README\.md$/, '$1index.md')
  );
}
