/**
 * Of files, those of which another one is the same file, a folder above, or a file below; in their order. Empty paths are left out.
 * Sorting brings a folder and all that is below it together, so this takes n log n comparisons, not n².
 */
export function findOverlapping<T>(files: readonly T[], pathOf: (file: T) => string): T[] {
  const sorted = files
    .map((file, at) => ({ at, folder: `${pathOf(file)}/` }))
    .filter(({ folder }) => folder !== "/")
    .sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : 0));
  const overlapping = new Set<number>();
  /** Which holds all that follows, until one that it does not hold. */
  let top: (typeof sorted)[number] | undefined;
  for (const next of sorted) {
    if (top && next.folder.startsWith(top.folder)) overlapping.add(top.at).add(next.at);
    else top = next;
  }
  return files.filter((_, at) => overlapping.has(at));
}
