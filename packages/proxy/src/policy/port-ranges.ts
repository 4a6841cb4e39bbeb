export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The same ports in as few ranges as possible, without overlaps, which nft refuses inside one set: "80, 8080-8090". */
export function portSet(ranges: readonly PortRange[]): string {
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of [...ranges].sort((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before.last + 1) before.last = Math.max(before.last, last);
    else merged.push({ first, last });
  }
  return merged.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(", ");
}
