/** Work measured at n, 2n, 4n and 8n. */
export type Measured = readonly [number, number, number, number];

/**
 * By how much the work of the last doubling exceeds that of the one before it: 2 where work is linear, 4 where it is quadratic. Differences
 * are compared, so that what is done once, however small the input, does not hide the rest.
 */
export function growthFactor([, two, four, eight]: Measured): number {
  return (eight - four) / Math.max(1, four - two);
}

/**
 * Whether work grows faster than its input: in both of the last two doublings, so that a request that is refused from some size on, and
 * takes another way then, is not mistaken for one. n log n stays below the limit. `unit`: the input's growth in the last doubling; work
 * that is less than so much of it is no concern, whatever its shape.
 */
export function isSuperLinear(measured: Measured, unit: number): boolean {
  const [one, two, four, eight] = measured;
  if (two - one < 0 || four - two < 0) return false;
  return growthFactor(measured) > 3 && four - two > 2.5 * (two - one) && eight - four > 4 * unit;
}
