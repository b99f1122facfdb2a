// The files that somebody dropped, with the folders that they lie in.

import type { NamedFile } from '../../engine/types.ts';

/** More files than this are not read from a folder. */
const mostFiles = 10_000;

export const namedFiles = (files: Iterable<File>): NamedFile[] =>
  Array.from(files, file => ({ name: file.webkitRelativePath || file.name, file }));

/** What the transfer has must be taken before the event ends; folders are then read. */
export async function droppedFiles(transfer: DataTransfer | null): Promise<NamedFile[]> {
  const entries = [...(transfer?.items ?? [])].map(item => item.webkitGetAsEntry?.() ?? undefined);
  const plain = namedFiles(transfer?.files ?? []);
  if (!entries.some(entry => entry?.isDirectory)) return plain;
  const found: NamedFile[] = [];
  for (const entry of entries) if (entry) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: NamedFile[]): Promise<void> {
  if (found.length >= mostFiles) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ name: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives a hundred entries at a time.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const each of some) await collect(each, found);
  }
}
