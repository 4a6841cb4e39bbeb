/**
 * Pure: the new list in an order that keeps as many places as possible. What stayed keeps its index; the place of what went is taken
 * by something new or by the last one. So one endpoint more or less is one to three elements of a map, however long the list is.
 */
export function stableOrder(before: readonly string[], after: readonly string[]): string[] {
  const wanted = new Set(after);
  const places: (string | undefined)[] = before.map((key) => (wanted.delete(key) ? key : undefined));
  const fresh = [...wanted];
  for (let at = 0; at < places.length && fresh.length > 0; at++) places[at] ??= fresh.shift();
  for (const key of fresh) places.push(key);
  for (let at = 0; at < places.length; at++) {
    while (places.length > 0 && places.at(-1) === undefined) places.pop();
    if (at < places.length && places[at] === undefined) places[at] = places.pop();
  }
  return places.filter((key) => key !== undefined);
}
