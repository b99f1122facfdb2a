import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { mayHaveDriver, mayHaveVulkan, missingDriver } from './vulkan.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true });
});
function testFolder(): string {
  folders.push(fs.mkdtempSync(join(tmpdir(), 'nearfield-driver-')));
  return folders[folders.length - 1];
}

it('looks for the Vulkan loader where the linker would', () => {
  const folder = testFolder();
  const path = (name: string) => join(folder, name);
  fs.writeFileSync(path('libvulkan.so.1'), '');
  fs.writeFileSync(path('cache'), 'libm.so.6\0libvulkan.so.1\0');
  fs.writeFileSync(path('bare'), 'libm.so.6\0');
  expect(mayHaveVulkan(fs, undefined, path('bare'), [])).toBe(false);
  expect(mayHaveVulkan(fs, '/nowhere:', path('bare'), ['/nowhere'])).toBe(false);
  expect(mayHaveVulkan(fs, undefined, path('cache'), [])).toBe(true);
  expect(mayHaveVulkan(fs, `/nowhere:${folder}`, path('bare'), [])).toBe(true);
  expect(mayHaveVulkan(fs, undefined, path('bare'), [folder])).toBe(true);
  // Without a cache nothing is certain.
  expect(mayHaveVulkan(fs, undefined, path('missing'), [])).toBe(true);
});

it('looks for a Vulkan driver where the loader would', () => {
  const folder = testFolder();
  const bare = { HOME: '/nowhere', XDG_CONFIG_DIRS: '/nowhere', XDG_DATA_DIRS: `/nowhere:${folder}` };
  expect(mayHaveDriver(fs, bare, [])).toBe(false);
  expect(mayHaveDriver(fs, { ...bare, VK_ICD_FILENAMES: '/some/icd.json' }, [])).toBe(true);
  expect(mayHaveDriver(fs, { ...bare, LD_LIBRARY_PATH: '/some' }, [])).toBe(true);
  fs.mkdirSync(join(folder, 'vulkan/icd.d'), { recursive: true });
  expect(mayHaveDriver(fs, bare, [])).toBe(false);
  fs.writeFileSync(join(folder, 'vulkan/icd.d/some.json'), '');
  expect(mayHaveDriver(fs, bare, [])).toBe(true);
});

it('does not start Dawn if there is no driver', async () => {
  const created = vi.fn();
  // Later files in this process must not get modules that were loaded with the mocks.
  onTestFinished(() => {
    vi.doUnmock('webgpu');
    vi.doUnmock('./vulkan.ts');
    vi.resetModules();
  });
  vi.doMock('webgpu', () => ({ create: created, globals: {} }));
  vi.doMock('./vulkan.ts', () => ({ missingDriver: async () => 'no Vulkan driver is installed' }));
  vi.resetModules();
  const { findGpu } = await import('./device.ts');
  await expect(findGpu()).rejects.toMatchObject({
    code: 'no-gpu',
    message: 'there is no GPU driver here (no Vulkan driver is installed)',
  });
  expect(created).not.toHaveBeenCalled();
});

it('looks only on Linux', async () => {
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  expect(await missingDriver()).toBe(undefined);
  platform.mockRestore();
});
