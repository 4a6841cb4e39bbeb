/** An edge by the numbers of its nodes. */
export type Link = readonly [from: number, to: number];

/** Pure: the same edges, those that close a circle turned round, so that all lead forward. */
export function withoutCircles(count: number, links: readonly Link[]): Link[] {
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of links) out[from]?.push(to);
  const state = new Uint8Array(count); // 0: not seen, 1: on the way, 2: done
  const back = new Set<string>();
  for (let start = 0; start < count; start++) {
    if (state[start] !== 0) continue;
    const way: { node: number; next: number }[] = [{ node: start, next: 0 }];
    state[start] = 1;
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const to = out[top.node]?.[top.next++];
      if (to === undefined) {
        state[top.node] = 2;
        way.pop();
      } else if (state[to] === 1) back.add(`${top.node}>${to}`);
      else if (state[to] === 0) {
        state[to] = 1;
        way.push({ node: to, next: 0 });
      }
    }
  }
  return links.flatMap(([from, to]): Link[] =>
    from === to ? [] : [back.has(`${from}>${to}`) ? [to, from] : [from, to]],
  );
}

/** Pure: each node's layer: one more than the last of those that lead to it. `links` have no circles. */
export function layersOf(count: number, links: readonly Link[]): number[] {
  const layers = Array.from({ length: count }, () => 0);
  const waiting = Array.from({ length: count }, () => 0);
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const [from, to] of links) {
    out[from]?.push(to);
    waiting[to] = (waiting[to] ?? 0) + 1;
  }
  const ready = waiting.flatMap((left, node) => (left === 0 ? [node] : []));
  for (let node = ready.pop(); node !== undefined; node = ready.pop())
    for (const to of out[node] ?? []) {
      layers[to] = Math.max(layers[to] ?? 0, (layers[node] ?? 0) + 1);
      waiting[to] = (waiting[to] ?? 0) - 1;
      if (waiting[to] === 0) ready.push(to);
    }
  return layers;
}
