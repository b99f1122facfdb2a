/** Throws with all links of a built site that lead nowhere. */
export function checkSite(out: string, base: string, absent?: readonly string[]): void;
