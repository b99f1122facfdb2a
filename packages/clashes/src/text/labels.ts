// Names of bodies for people.

interface Labelled {
  readonly name: string;
  readonly file?: string | undefined;
}

/** The label of each body: its name, and its file if bodies of several files have the same name. */
export function labelsOf(bodies: readonly Labelled[]): string[] {
  // Most models are one file, which may have a million bodies.
  if (bodies.every(({ file }) => file === bodies[0].file)) return bodies.map(({ name }) => name);
  const firstFile = new Map<string, string | undefined>();
  const inSeveral = new Set<string>();
  for (const { name, file } of bodies) {
    if (!firstFile.has(name)) firstFile.set(name, file);
    else if (firstFile.get(name) !== file) inSeveral.add(name);
  }
  return bodies.map(({ name, file }) =>
    file !== undefined && inSeveral.has(name) ? `${name} (${file})` : name,
  );
}

/** The same, with the index of a body whose label others have too: `bolt (#11)`. */
export function distinctLabels(bodies: readonly Labelled[]): string[] {
  const labels = labelsOf(bodies);
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return labels.map((label, index) => (counts.get(label)! > 1 ? `${label} (#${index})` : label));
}
