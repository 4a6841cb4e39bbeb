import type { Notification } from "./event-handler.js";

/**
 * Pure: fewer notifications with the same outcome, in the order of what is left. A handler that receives them ends up
 * knowing the same objects in the same state; it misses states between. Per object at most a deletion and an addition, or
 * one update, are left: so the backlog of a handler is bounded by the number of objects that it or the cache knows.
 */
export function coalesce<T>(pending: readonly Notification<T>[], keyOf: (object: T) => string): Notification<T>[] {
  const kept: (Notification<T> | undefined)[] = [];
  /** Where in `kept` the last notification of a key is. */
  const last = new Map<string, number>();
  for (const next of pending) {
    if (next.type === "synced") {
      kept.push(next);
      continue;
    }
    const key = keyOf(next.object);
    const at = last.get(key);
    const before = at === undefined ? undefined : kept[at];
    const merged = before === undefined ? "append" : merge(before, next);
    if (merged === "append") {
      last.set(key, kept.length);
      kept.push(next);
    } else if (merged === "cancel") {
      kept[at as number] = undefined;
      last.delete(key);
    } else kept[at as number] = merged;
  }
  return kept.filter((notification) => notification !== undefined);
}

function merge<T>(before: Notification<T>, next: Notification<T>): Notification<T> | "append" | "cancel" {
  switch (before.type) {
    case "add":
      // Added and deleted before the handler knew of it.
      if (next.type === "delete") return "cancel";
      return next.type === "update" ? { ...before, object: next.object } : "append";
    case "update":
      if (next.type === "update") return { ...next, old: before.old };
      return next.type === "delete" ? next : "append";
    default:
      return "append";
  }
}
