import type { RestClient } from "@coxswain/client";
import { createReflector } from "@coxswain/client/informers";
import { type TableColumn, type TableRow, tableSource } from "@coxswain/client/tables";
import type { Runtime } from "@coxswain/runtime";
import type { Problem } from "../contract/messages.js";
import { type Place, pathOf } from "../contract/paths.js";
import type { ColumnView, TableState } from "../contract/table.js";
import { problemOf } from "./problem.js";
import { byName, type StoredRow } from "./stored-row.js";

/** All rows of one resource in one namespace or all, kept equal to the server's; or as they were at a revision. */
export interface TableStore {
  readonly columns: readonly ColumnView[];
  rows(): IterableIterator<StoredRow>;
  /** By namespace and name. */
  inOrder(): readonly StoredRow[];
  readonly size: number;
  readonly status: TableState["status"];
  readonly problem: Problem | undefined;
  /** Called, soon after, for whatever changes. */
  listen(onChange: () => void): () => void;
}

export interface TableStores {
  /** The same place gives the same store. Released stores are kept for a while, for those who come back. */
  use(place: Place, at: string): { readonly store: TableStore; release(): void };
  /** Whom requests are sent as has changed: nothing that was read counts. */
  reset(): void;
}

/** More than a window shows. */
const firstRows = 150;
/** A view that was left is often opened again. */
const keptMs = 30_000;

export interface TableStoreOptions {
  readonly runtime: Runtime;
  readonly rest: RestClient;
  /** Some kinds of aggregated APIs can only be listed. */
  canWatch(place: Place): boolean;
}

export function createTableStores(options: TableStoreOptions): TableStores {
  const open = new Map<string, { store: LiveTable; users: number }>();
  return {
    use(place, at) {
      const key = `${pathOf(place)}@${at}`;
      let entry = open.get(key);
      if (!entry) {
        entry = { store: new LiveTable(options, place, at), users: 0 };
        open.set(key, entry);
      }
      const used = entry;
      used.users++;
      let released = false;
      return {
        store: used.store,
        release() {
          if (released) return;
          released = true;
          used.users--;
          options.runtime.clock.setTimer(keptMs, () => {
            if (used.users > 0 || open.get(key) !== used) return;
            open.delete(key);
            used.store.stop();
          });
        },
      };
    },
    reset() {
      for (const { store } of open.values()) store.stop();
      open.clear();
    },
  };
}

class LiveTable implements TableStore {
  readonly #rows = new Map<string, StoredRow>();
  readonly #listeners = new Set<() => void>();
  readonly #ending = new AbortController();
  #inOrder: readonly StoredRow[] | undefined;
  columns: readonly ColumnView[] = [];
  status: TableStore["status"] = "loading";
  problem: Problem | undefined;

  constructor({ runtime, rest, canWatch }: TableStoreOptions, place: Place, at: string) {
    const source = tableSource(rest, pathOf(place), (columns) => {
      this.columns = columns.map(columnView);
    });
    if (at !== "" || !canWatch(place)) void this.#readOnce(source, at);
    else void this.#lookAhead(source).then(() => this.#follow(runtime, source));
  }

  get size(): number {
    return this.#rows.size;
  }

  rows(): IterableIterator<StoredRow> {
    return this.#rows.values();
  }

  /** A change of a row leaves the order as it is: see `#put`. */
  inOrder(): readonly StoredRow[] {
    this.#inOrder ??= [...this.#rows.values()].sort(byName);
    return this.#inOrder;
  }

  listen(onChange: () => void): () => void {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  }

  stop(): void {
    this.#ending.abort();
  }

  #follow(runtime: Runtime, listerWatcher: ReturnType<typeof tableSource>): void {
    const reflector = createReflector<TableRow>({
      runtime,
      listerWatcher,
      keyOf,
      useWatchList: false,
      target: {
        add: (row) => this.#put(row),
        update: (row) => this.#put(row),
        delete: (row) => {
          this.#rows.delete(keyOf(row));
          this.#inOrder = undefined;
          this.#changed();
        },
        replace: (rows) => this.#replace(rows, "live"),
        bookmark: () => {},
      },
      onError: (error) => {
        this.problem = problemOf(error);
        if (this.status === "live") this.status = "behind";
        this.#changed();
      },
      onStateChange: ({ at }) => {
        if (at !== "watching" || this.status === "loading") return;
        this.status = "live";
        this.problem = undefined;
        this.#changed();
      },
    });
    void reflector.run(this.#ending.signal);
  }

  /** The first page, so that something is seen while the whole list is on its way. What goes wrong here goes wrong there, too. */
  async #lookAhead(source: ReturnType<typeof tableSource>): Promise<void> {
    try {
      const page = await source.list({ limit: firstRows }, this.#ending.signal);
      if (this.status !== "loading" || page.continue === undefined) return;
      this.#fill(page.items);
      this.#changed();
    } catch {
      return;
    }
  }

  /** As it is now, or was at a revision. */
  async #readOnce(source: ReturnType<typeof tableSource>, resourceVersion: string): Promise<void> {
    const asked = resourceVersion === "" ? {} : ({ resourceVersion, resourceVersionMatch: "Exact" } as const);
    try {
      const page = await source.list(asked, this.#ending.signal);
      this.#replace(page.items, resourceVersion === "" ? "listed" : "past");
    } catch (error) {
      this.problem = problemOf(error);
      this.#changed();
    }
  }

  #put(row: TableRow): void {
    const known = this.#rows.get(keyOf(row));
    if (known) Object.assign(known, storedRow(row, this.columns));
    else this.#fill([row]);
    this.#changed();
  }

  #fill(rows: readonly TableRow[]): void {
    for (const row of rows) this.#rows.set(keyOf(row), storedRow(row, this.columns));
    this.#inOrder = undefined;
  }

  #replace(rows: readonly TableRow[], status: TableStore["status"]): void {
    this.#rows.clear();
    this.#fill(rows);
    this.status = status;
    this.problem = undefined;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

const keyOf = ({ metadata: { uid, namespace = "", name = "" } }: TableRow): string => uid ?? `${namespace}/${name}`;

export const columnView = ({ name, type, description = "", priority = 0 }: TableColumn): ColumnView => ({
  name,
  type,
  description,
  priority,
  isAge: name.toLowerCase() === "age", // of custom resources, too, whose server prints it once
});

function storedRow(row: TableRow, columns: readonly ColumnView[]): StoredRow {
  const { metadata } = row;
  return {
    key: keyOf(row),
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    cells: row.cells.map((cell, at) => (columns[at]?.isAge ? "" : cellText(cell))),
    created: Date.parse(metadata.creationTimestamp ?? "") || 0,
    isDeleting: metadata.deletionTimestamp !== undefined,
    labels: metadata.labels,
    owners: metadata.ownerReferences ?? [],
  };
}

const cellText = (cell: unknown): string =>
  cell === null || cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);
