// The store of files in a folder: it keeps bytes by their content, and nothing by halves.

import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { FolderStore } from './store.ts';

describe('the store', () => {
  it('keeps bytes by their content, and notices when a file has other content', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-store-'));
    try {
      const store = new FolderStore(folder);
      const bytes = new TextEncoder().encode('a mesh');
      const hash = await store.put(bytes);
      expect(await store.put(bytes)).toBe(hash);
      expect([...(await store.get(hash))]).toEqual([...bytes]);
      writeFileSync(join(folder, hash.slice(0, 2), hash), 'another');
      await expect(store.get(hash)).rejects.toThrow('has other content in the store');
      await expect(store.get('0'.repeat(64))).rejects.toThrow('there is no such file');
      await expect(store.get('../../etc/passwd')).rejects.toThrow('64 hexadecimal digits');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('says that its disk is full, leaves nothing behind, and goes on when there is room', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-store-'));
    const handle = await open(join(folder, 'any'), 'w');
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    const full = vi.spyOn(prototype, 'writeFile');
    try {
      full.mockRejectedValueOnce(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
      const store = new FolderStore(join(folder, 'store'));
      const bytes = new TextEncoder().encode('a mesh');
      await expect(store.put(bytes)).rejects.toThrow('the disk is full');
      const left = readdirSync(join(folder, 'store'), { recursive: true, withFileTypes: true });
      expect(left.filter(entry => entry.isFile())).toEqual([]);
      expect([...(await store.get(await store.put(bytes)))]).toEqual([...bytes]);
    } finally {
      full.mockRestore();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('leaves nothing behind if it cannot write', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-store-'));
    try {
      writeFileSync(join(folder, 'file'), '');
      chmodSync(join(folder, 'file'), 0o400);
      // A file stands in place of the folder: nothing can be put there, even with all permissions.
      await expect(new FolderStore(join(folder, 'file')).put(new Uint8Array(3))).rejects.toThrow(
        'cannot be written',
      );
      expect(readdirSync(folder)).toEqual(['file']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
