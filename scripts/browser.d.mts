import type { Browser } from 'playwright-core';

/** Chromium, headless, with WebGPU on the software GPU. */
export function launchBrowser(): Promise<Browser>;
