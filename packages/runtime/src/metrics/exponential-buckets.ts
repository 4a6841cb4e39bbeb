/** `count` bounds, each `factor` times the one before. */
export const exponentialBuckets = (start: number, factor: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => start * factor ** at);
