import type { Browser } from 'playwright-core';

/** Whether the browser, and the software GPU, run on this machine. */
export const hasBrowser: boolean;

/** Chromium, headless, with WebGPU on the software GPU. */
export function launchBrowser(options?: { isSeen?: boolean }): Promise<Browser>;
