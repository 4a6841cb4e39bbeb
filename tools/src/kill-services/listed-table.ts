interface Listed {
  readonly [kind: string]: {
    readonly name?: string;
    readonly chain?: string;
    readonly elem?: unknown;
    readonly expr?: unknown;
  };
}

/**
 * Pure: the output of `nft --json list ruleset` as sorted lines that two proxies with the same services agree on: without handles, without
 * the clients that affinity remembers, and without the order of backends, which is the order in which they came.
 */
export function comparableRules(listing: string): string[] {
  const { nftables } = JSON.parse(listing) as { nftables: readonly Listed[] };
  return nftables.flatMap((one) => [...linesOf(one)]).sort();
}

function* linesOf({ chain, set, map, rule }: Listed): Iterable<string> {
  if (chain !== undefined) yield `chain ${chain.name}`;
  if (rule !== undefined) yield `rule ${rule.chain} ${JSON.stringify(rule.expr)}`;
  const container = set ?? map;
  if (container === undefined) return;
  yield `set ${container.name}`;
  if (container.name?.startsWith("affinity-")) return;
  for (const element of (container.elem ?? []) as readonly unknown[])
    yield `element ${container.name} ${JSON.stringify(container.name?.endsWith("backends") ? withoutIndex(element) : element)}`;
}

/** A backend's key is `address . port . index`. */
function withoutIndex(element: unknown): unknown {
  const [key, value] = element as [{ concat: unknown[] }, unknown];
  return [key.concat.slice(0, -1), value];
}
