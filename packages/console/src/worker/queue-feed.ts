import type { Runtime } from "@coxswain/runtime";
import type { QueueItem, QueueState, QueueSummary } from "../contract/messages.js";
import type { Catalogue } from "./catalogue.js";
import type { Feed } from "./feed.js";
import type { StoredRow } from "./stored-row.js";
import type { TableStore, TableStores } from "./table-store.js";

const quietMs = 500;
const mostItems = 200;

/** What the controllers of the server's process have in hand, what waits, and what they did last. */
export function queueFeed(
  runtime: Runtime,
  { stores, catalogue }: { readonly stores: TableStores; readonly catalogue: Catalogue },
  push: (state: QueueState) => void,
): Feed<Record<never, never>> {
  const info = catalogue.find("history.coxswain.dev", "reconciles");
  if (!info) {
    push({ queues: [], items: [], problem: undefined });
    return { update() {}, close() {} };
  }
  const { store, release } = stores.use(info, "");
  let timer: { cancel(): void } | undefined;
  const show = (): void => {
    timer = undefined;
    push({ ...summarize(withoutBegun(itemsOf(store))), problem: store.problem });
  };
  const unlisten = store.listen(() => void (timer ??= runtime.clock.setTimer(quietMs, show)));
  show();
  return {
    update() {},
    close() {
      timer?.cancel();
      unlisten();
      release();
    },
  };
}

function itemsOf(store: TableStore): QueueItem[] {
  const at = new Map(store.columns.map(({ name }, index) => [name, index]));
  const cell = (row: StoredRow, name: string): string => row.cells[at.get(name) ?? -1] ?? "";
  return [...store.rows()].map((row) => ({
    component: cell(row, "Component"),
    queue: cell(row, "Queue"),
    item: cell(row, "Item"),
    state: cell(row, "State"),
    ms: Number(cell(row, "Ms") || 0),
    retries: Number(cell(row, "Retries") || 0),
    wokenBy: cell(row, "Woken By").replace(/^r/, ""),
    since: row.created,
  }));
}

/** Pure: a watch has what begins, not what waits no longer: an item that was taken since it was listed as waiting is left out. */
export function withoutBegun(items: readonly QueueItem[]): QueueItem[] {
  const nameOf = ({ component, queue, item }: QueueItem): string => `${component} ${queue} ${item}`;
  const taken = new Map<string, number>();
  for (const item of items) {
    if (item.state === "Waiting") continue;
    taken.set(nameOf(item), Math.max(item.since, taken.get(nameOf(item)) ?? 0));
  }
  return items.filter((item) => item.state !== "Waiting" || item.since > (taken.get(nameOf(item)) ?? 0));
}

/** Pure: one line for each queue, those with something to do first; and the items that matter most. */
export function summarize(items: readonly QueueItem[]): Pick<QueueState, "queues" | "items"> {
  const queues = new Map<string, { -readonly [Key in keyof QueueSummary]: QueueSummary[Key] }>();
  for (const { component, queue, state, ms, retries } of items) {
    const name = `${component} ${queue}`;
    const line = queues.get(name) ?? { component, queue, waiting: 0, running: 0, done: 0, failing: 0, slowest: 0 };
    if (state === "Waiting") line.waiting++;
    else if (state === "Running") line.running++;
    else line.done++;
    if (retries > 0) line.failing++;
    line.slowest = Math.max(line.slowest, ms);
    queues.set(name, line);
  }
  const rank = ({ state, retries }: QueueItem): number =>
    state === "Running" ? 0 : state === "Waiting" ? 1 : retries > 0 ? 2 : 3;
  return {
    queues: [...queues.values()].sort(
      (a, b) =>
        b.running + b.waiting - a.running - a.waiting || b.failing - a.failing || (a.component < b.component ? -1 : 1),
    ),
    items: items.toSorted((a, b) => rank(a) - rank(b) || b.since - a.since).slice(0, mostItems),
  };
}
