const firstMs = 1_000;
const mostMs = 30_000;
/** One that worked for so long has not failed because of how it began. */
const settledMs = 60_000;

/** Pure: how many times in a row a part failed, with the one that ended now after `ranMs`. */
export const failuresInARow = (before: number, ranMs: number): number => (ranMs >= settledMs ? 1 : before + 1);

/** Pure: how long to wait before it is started again. */
export const restartDelayMs = (failures: number): number => Math.min(mostMs, firstMs * 2 ** (failures - 1));
