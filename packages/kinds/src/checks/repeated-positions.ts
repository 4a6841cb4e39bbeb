/** Where a list has a value that it has before. In linear time: asking `list.indexOf(value) < at` of each value looks at all pairs. */
export function repeatedPositions(values: readonly unknown[]): ReadonlySet<number> {
  const known = new Set<unknown>();
  const repeated = new Set<number>();
  for (const [at, value] of values.entries()) {
    if (known.has(value)) repeated.add(at);
    known.add(value);
  }
  return repeated;
}
