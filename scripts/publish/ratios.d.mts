/** Ratio per watched question in the recorded results, by name. */
export function ratiosNow(): Record<string, number>;
/** What is kept: ratios per question, per release. */
export function releases(): Record<string, Record<string, number>>;
