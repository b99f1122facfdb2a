// Prints the usage of a script of the repository for --help and for unknown arguments.

/**
 * @param {string} text how to call it and what it does
 * @param {readonly string[]} known the words it takes, if any
 */
export function checkUsage(text, known = []) {
  const words = process.argv.slice(2);
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(`${text}\n`);
    process.exit(0);
  }
  const unknown = words.find(word => !known.includes(word));
  if (unknown !== undefined) {
    process.stderr.write(`unknown argument '${unknown}'\n${text}\n`);
    process.exit(2);
  }
}
