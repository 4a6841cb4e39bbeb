/** Cuts out as much of a failing list as it can while it still fails. `fails` returns why, or undefined if it passes. */
export async function shrink<T>(
  list: readonly T[],
  fails: (list: readonly T[]) => Promise<string | undefined>,
  tries: number,
): Promise<readonly T[]> {
  let shortest = list;
  let size = Math.ceil(list.length / 2);
  let left = tries;
  while (size >= 1 && left > 0) {
    let cut = false;
    for (let from = 0; from < shortest.length && left > 0; ) {
      left -= 1;
      const candidate = [...shortest.slice(0, from), ...shortest.slice(from + size)];
      if (candidate.length > 0 && (await fails(candidate)) !== undefined) {
        shortest = candidate;
        cut = true;
      } else {
        from += size;
      }
    }
    if (!cut || size > shortest.length) size = Math.floor(size / 2);
  }
  return shortest;
}
