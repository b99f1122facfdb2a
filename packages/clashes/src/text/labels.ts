// Names of bodies for people.

/** The label of each body: its name, and its file if bodies of several files have the same name. */
export function labelsOf(
  bodies: readonly { readonly name: string; readonly file?: string | undefined }[],
): string[] {
  const files = new Map<string, Set<string | undefined>>();
  for (const { name, file } of bodies) files.set(name, (files.get(name) ?? new Set()).add(file));
  return bodies.map(({ name, file }) =>
    file !== undefined && files.get(name)!.size > 1 ? `${name} (${file})` : name,
  );
}
