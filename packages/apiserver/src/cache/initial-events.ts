import type { SortedMap } from "@coxswain/storage/sorted-map";
import type { CacheEntry } from "./cache-entry.js";
import { createDelivery, type Delivery } from "./cache-event.js";
import { type Selection, selects } from "./selection.js";

/** So many lists of one state are kept; the state goes with the next write. */
const most = 100;

/**
 * What a watcher that begins now gets first: all that is there and fits. Those that want the same of the same state share one
 * list, so that a thousand watchers who come at once do not look at everything a thousand times.
 */
export class InitialEvents {
  #state: SortedMap<CacheEntry> | undefined;
  #lists = new Map<string, readonly Delivery[]>();

  /** `prefix`: where in the state the selection can be. */
  of(state: SortedMap<CacheEntry>, selection: Selection, prefix: string): readonly Delivery[] {
    if (state !== this.#state || this.#lists.size >= most) {
      this.#state = state;
      this.#lists = new Map();
    }
    let list = this.#lists.get(selection.id);
    if (!list) this.#lists.set(selection.id, (list = find(state, selection, prefix)));
    return list;
  }
}

function find(state: SortedMap<CacheEntry>, selection: Selection, prefix: string): readonly Delivery[] {
  const found: Delivery[] = [];
  state.forEach({ prefix }, (_key, entry) => {
    if (selects(selection, entry))
      found.push(createDelivery({ type: "ADDED", entry, previous: undefined, revision: entry.revision }));
  });
  return found;
}
