import type { LogEntry } from "@coxswain/storage/memory";

/** Answers at each call whether nothing but heartbeats was written since the one before. */
export function watchQuiet(log: (after: number) => readonly LogEntry[]): () => boolean {
  let seen = 0;
  return () => {
    const entries = log(seen);
    const last = entries.at(-1);
    // A restored store may be at an earlier revision.
    if (last) seen = last.revision;
    return entries.every(isHeartbeat);
  };
}

/** Nodes renew their leases, and now and then they repeat their status. */
const isHeartbeat = ({ key, note }: LogEntry): boolean =>
  note?.user?.startsWith("system:node:") === true &&
  (key.startsWith("/registry/leases/kube-node-lease/") || key.startsWith("/registry/minions/"));
