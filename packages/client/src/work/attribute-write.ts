/** What is known of a write. */
export interface WriteFacts {
  /** "namespace/name", or the name of a cluster-wide object. */
  readonly object: string;
  /** The same of its controller, in its namespace and as a cluster-wide object, and of the claim of a volume; asked only where it matters. */
  owners(): readonly string[];
  /** What the writer named as the reason. */
  readonly claim?: { readonly queue: string; readonly item: string } | undefined;
}

export interface Attribution<W> {
  /** `exact`: this one made the write. `one-of`: one of these did. */
  readonly certainty: "exact" | "one-of";
  readonly works: readonly W[];
}

/** Candidates that are named, at most. */
const mostCandidates = 5;

/** Queues whose items are namespaces: what they write is in them. */
const namespaceQueues: ReadonlySet<string> = new Set(["namespace"]);

/**
 * Pure: which of the work items that a component had in hand made a write. Exact where it had only one, where it names one of them
 * itself, or where all are of one queue and just one of them is the written object or its controller. Without work in hand (undefined) the component wrote for another reason, such as time.
 *
 * Reconciles are not followed through what they await: AsyncLocalStorage makes every await of the process three times as expensive.
 */
export function attributeWrite<W extends { readonly queue: string; readonly item: string }>(
  { object, owners, claim }: WriteFacts,
  running: readonly W[],
): Attribution<W> | undefined {
  if (running.length === 0) return undefined;
  if (running.length === 1) return { certainty: "exact", works: running };
  const claimed = claim && running.filter(({ queue, item }) => queue === claim.queue && item === claim.item);
  if (claimed?.length === 1) return { certainty: "exact", works: claimed };
  const names = new Set([object, ...owners()]);
  const namespace = object.slice(0, Math.max(0, object.indexOf("/")));
  const matching = running.filter(
    ({ queue, item }) => names.has(nameIn(item)) || (namespaceQueues.has(queue) && item === namespace),
  );
  const [only] = matching;
  // Items of one queue are objects of one kind, each with what it owns. Of another queue nothing is known.
  if (only && matching.length === 1 && running.every(({ queue }) => queue === only.queue))
    return { certainty: "exact", works: matching };
  const candidates = [...matching, ...running.filter((work) => !matching.includes(work))];
  return { certainty: "one-of", works: candidates.slice(0, mostCandidates) };
}

/** The object that an item is about: `pod:default/web` and `default/web/uid` are about default/web. */
function nameIn(item: string): string {
  const name = item.replace(/^[a-z]+:/, "");
  const [namespace, second, ...more] = name.split("/");
  return more.length > 0 ? `${namespace}/${second}` : name;
}
