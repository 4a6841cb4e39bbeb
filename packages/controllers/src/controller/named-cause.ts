import { causeHeader, formatClaim } from "@coxswain/client/work";

/** Options of a write. */
export interface NamedCause {
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Names the work item that makes a write, for a server with a history. Only controllers need it whose writes do not show that by
 * themselves: several of their queues write the same objects, or what they write has another name than the item.
 */
export const namedCause = (queue: string, item: string): NamedCause => ({
  headers: { [causeHeader]: formatClaim({ queue, item, revisions: [] }) },
});
