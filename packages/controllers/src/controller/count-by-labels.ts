/** Pure: how many of the objects have each list of labels. */
export function countByLabels<T>(
  objects: readonly T[],
  labelsOf: (object: T) => readonly string[],
): { readonly labels: readonly string[]; readonly count: number }[] {
  const counts = new Map<string, { readonly labels: readonly string[]; count: number }>();
  for (const object of objects) {
    const labels = labelsOf(object);
    const key = JSON.stringify(labels);
    const known = counts.get(key);
    if (known) known.count++;
    else counts.set(key, { labels, count: 1 });
  }
  return [...counts.values()];
}
