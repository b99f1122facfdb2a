import type { Browser } from 'playwright-core';

/** Chromium, headless, with WebGPU on the software GPU. */
export function launchBrowser(options?: { isSeen?: boolean }): Promise<Browser>;
