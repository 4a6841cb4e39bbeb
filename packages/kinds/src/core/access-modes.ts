const shortNames = [
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
] as const;

/** Access modes in short, always in the same order. */
export const accessModesText = (modes: readonly string[] | undefined): string =>
  shortNames
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(",");
