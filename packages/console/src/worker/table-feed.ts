import type { Runtime } from "@coxswain/runtime";
import { compileFilter } from "../contract/filter.js";
import type { TableQuery } from "../contract/messages.js";
import type { RowView, TableState } from "../contract/table.js";
import type { Feed } from "./feed.js";
import { queryRows } from "./query-rows.js";
import type { StoredRow } from "./stored-row.js";
import type { TableStore, TableStores } from "./table-store.js";

/** Changes are shown at most so often; a table that takes longer to sort waits longer. */
const quietMs = 100;

/** One open table: what the page sees of a store. */
export function tableFeed(
  runtime: Runtime,
  stores: TableStores,
  first: TableQuery,
  push: (state: TableState) => void,
): Feed<TableQuery> {
  let query = first;
  let used = stores.use(query, query.at);
  let rows: readonly StoredRow[] = [];
  let filterProblem = "";
  let lastMs = 0;
  let timer: { cancel(): void } | undefined;
  let unlisten = used.store.listen(() => schedule());

  const compute = (): void => {
    const began = runtime.clock.monotonic();
    const { store } = used;
    const filter = compileFilter(
      query.filter,
      store.columns.map(({ name }) => name),
      () => runtime.clock.now(),
    );
    filterProblem = store.columns.length === 0 ? "" : filter.problem;
    rows = queryRows(store.inOrder(), { filter, sort: query.sort, columns: store.columns });
    lastMs = runtime.clock.monotonic() - began;
    show();
  };
  const show = (): void => push(stateOf(used.store, rows, query, filterProblem));
  const schedule = (): void => {
    timer ??= runtime.clock.setTimer(Math.max(quietMs, lastMs * 4), () => {
      timer = undefined;
      compute();
    });
  };
  if (used.store.status !== "loading" || used.store.size > 0) compute();
  else show();
  return {
    update(next) {
      const before = query;
      query = next;
      if (pathChanged(before, next)) {
        unlisten();
        used.release();
        used = stores.use(next, next.at);
        unlisten = used.store.listen(() => schedule());
        rows = [];
        compute();
      } else if (before.filter !== next.filter || before.sort !== next.sort) compute();
      else show();
    },
    close() {
      timer?.cancel();
      unlisten();
      used.release();
    },
  };
}

const pathChanged = (a: TableQuery, b: TableQuery): boolean =>
  a.group !== b.group ||
  a.version !== b.version ||
  a.resource !== b.resource ||
  a.namespace !== b.namespace ||
  a.at !== b.at;

function stateOf(store: TableStore, rows: readonly StoredRow[], query: TableQuery, filterProblem: string): TableState {
  const from = Math.max(0, Math.min(query.from, rows.length - 1));
  return {
    columns: store.columns,
    total: store.size,
    matched: rows.length,
    from,
    rows: rows.slice(from, from + query.count).map(shownRow),
    status: store.status,
    problem: store.problem,
    filterProblem,
  };
}

/** Without what only the worker needs. */
const shownRow = ({ key, namespace, name, uid, cells, created, isDeleting }: StoredRow): RowView => ({
  key,
  namespace,
  name,
  uid,
  cells,
  created,
  isDeleting,
});
