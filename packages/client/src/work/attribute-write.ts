/** What is known of a write. */
export interface WriteFacts {
  /** "namespace/name", or the name of a cluster-wide object. */
  readonly object: string;
  /** The same of its controller, in its namespace and as a cluster-wide object; asked only where it matters. */
  owners(): readonly string[];
}

export interface Attribution<W> {
  /** `exact`: this one made the write. `one-of`: one of these did. */
  readonly certainty: "exact" | "one-of";
  readonly works: readonly W[];
}

/** Candidates that are named, at most. */
const mostCandidates = 5;

/**
 * Pure: which of the work items that a component had in hand made a write. Exact where it had only one, or where all are of
 * one queue and just one of them is the written object or its controller. Without work in hand (undefined) the component wrote for another reason, such as time.
 *
 * Reconciles are not followed through what they await: AsyncLocalStorage makes every await of the process three times as expensive.
 */
export function attributeWrite<W extends { readonly queue: string; readonly item: string }>(
  { object, owners }: WriteFacts,
  running: readonly W[],
): Attribution<W> | undefined {
  if (running.length === 0) return undefined;
  if (running.length === 1) return { certainty: "exact", works: running };
  const names = new Set([object, ...owners()]);
  const matching = running.filter(({ item }) => names.has(item));
  const [only] = matching;
  // Items of one queue are objects of one kind, each with what it owns. Of another queue nothing is known.
  if (only && matching.length === 1 && running.every(({ queue }) => queue === only.queue))
    return { certainty: "exact", works: matching };
  const candidates = [...matching, ...running.filter((work) => !matching.includes(work))];
  return { certainty: "one-of", works: candidates.slice(0, mostCandidates) };
}
