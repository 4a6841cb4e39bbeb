import { humanDuration } from "@coxswain/apimachinery/time";
import { useSignal } from "@preact/signals";
import { Component, type VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ResourceInfo } from "../contract/messages.js";
import { refTo } from "../contract/paths.js";
import type { RowView, SortOrder, TableState } from "../contract/table.js";
import { emptyTable } from "../contract/table.js";
import { toneOf } from "../contract/tone.js";
import { actionsFor } from "./actions.js";
import { app, can, now, slowNow } from "./app-state.js";
import { Button } from "./button.js";
import { growWidths, shownColumns } from "./column-widths.js";
import { openDialog } from "./dialogs-state.js";
import { DrawBudget, pageFrames } from "./draw-budget.js";
import { isTyping } from "./keys.js";
import { pluralTitle } from "./navigation.js";
import { ProblemBox } from "./problem-box.js";
import { go, keepLasting, objectHash, param, setParams } from "./route.js";
import { type RowWindow, rowHeight, scrollFor, windowAt } from "./row-window.js";
import { useFeed } from "./use-feed.js";

/** Any kind as a live table: the server's columns, a filter, an order, and what can be done with rows. */
export function TableView({ info }: { readonly info: ResourceInfo }) {
  const view = useTable(info);
  const { table, selected } = view;
  const isWide = param("wide") !== "";
  return (
    <section class="table-view" aria-label={pluralTitle(info)}>
      <div class="toolbar">
        <h1>{pluralTitle(info)}</h1>
        <Count table={table} />
        <FilterBox problem={table.filterProblem} />
        <Button class="quiet" aria-pressed={isWide} onClick={() => setParams({ wide: isWide ? "" : "1" })}>
          All columns
        </Button>
        {selected.value.size > 0 && <BulkActions info={info} view={view} />}
      </div>
      {table.problem && <ProblemBox problem={table.problem} />}
      <Grid info={info} view={view} />
    </section>
  );
}

function useTable(info: ResourceInfo) {
  const range = useRef(windowAt(0, 900, false));
  const cursor = useSignal(0);
  const selected = useSignal<ReadonlyMap<string, RowView>>(new Map());
  const [column = "", direction = ""] = param("sort").split(":");
  const sort: SortOrder | undefined = column === "" ? undefined : { column, descending: direction === "desc" };
  const { group, version, resource } = info;
  const namespace = info.namespaced ? param("ns") : "";
  const asked = { group, version, resource, namespace, filter: param("filter"), sort, at: param("at") };
  const { from, count } = range.current;
  const feed = useFeed("table", { ...asked, from, count }, `${group}/${resource}`);
  /** Other rows are asked for without drawing the table: that is done when they are here. */
  const look = (wanted: RowWindow): void => {
    if (wanted.from === range.current.from && wanted.count === range.current.count) return;
    range.current = wanted;
    feed.update({ ...asked, from: wanted.from, count: wanted.count });
  };
  const budget = useMemo(() => new DrawBudget(pageFrames), []);
  return { table: feed.state.value ?? emptyTable, sort, range, look, cursor, selected, budget };
}

type TableModel = ReturnType<typeof useTable>;

const statusWords = {
  loading: "loading …",
  live: "",
  listed: "as listed: it cannot be watched",
  past: "as it was",
  behind: "reconnecting",
} as const;

const Count = ({ table }: { readonly table: TableState }) => (
  <span class="muted count" role="status">
    {table.matched !== table.total && `${table.matched.toLocaleString("en")} of `}
    {(table.total > 0 || table.status !== "loading") && table.total.toLocaleString("en")}{" "}
    {table.problem && table.status === "loading" ? "" : statusWords[table.status]}
  </span>
);

function FilterBox({ problem }: { readonly problem: string }) {
  const input = useRef<HTMLInputElement>(null);
  // As soon as the box is there: who sees it may press the key.
  useLayoutEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== "/" || isTyping(event)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  return (
    <span class="filter">
      <input
        ref={input}
        type="search"
        aria-label="Filter"
        placeholder="filter: status=Failed node=node-7 age<1h"
        spellcheck={false}
        value={param("filter")}
        aria-invalid={problem !== ""}
        onInput={(event) => setParams({ filter: event.currentTarget.value }, true)}
        onKeyDown={(event) =>
          (event.key === "Escape" || event.key === "Enter") && document.getElementById("rows")?.focus()
        }
      />
      {problem !== "" && <span class="bad">{problem}</span>}
    </span>
  );
}

function BulkActions({ info, view }: { readonly info: ResourceInfo; readonly view: TableModel }) {
  const rows = [...view.selected.value.values()];
  const at = new Date(now.value).toISOString();
  const [first] = rows;
  if (!first || app().cluster.readOnly) return null;
  const titles = actionsFor(info, refTo(info, first), at);
  const start = (id: string): void =>
    openDialog({
      kind: "action",
      actions: rows.flatMap((row) => {
        const ref = refTo(info, row);
        const action = actionsFor(info, ref, at).find((candidate) => candidate.id === id);
        return action ? [{ action, ref }] : [];
      }),
      onDone: () => void (view.selected.value = new Map()),
    });
  return (
    <span class="bulk" role="group" aria-label="Selected rows">
      <span>{rows.length} selected</span>
      {titles.map(({ id, title, isDangerous }) => (
        <Button key={id} class={isDangerous ? "danger" : ""} onClick={() => start(id)}>
          {title}
        </Button>
      ))}
      <Button class="quiet" onClick={() => (view.selected.value = new Map())}>
        Clear
      </Button>
    </span>
  );
}

function Grid({ info, view }: { readonly info: ResourceInfo; readonly view: TableModel }) {
  const { table, cursor } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const widths = useRef<number[]>([]);
  const indexes = shownColumns(table.columns, param("wide") !== "");
  widths.current = growWidths(widths.current.slice(0, indexes.length), table.columns, table.rows, indexes);
  const showsNamespace = info.namespaced && param("ns") === "";
  const lookAt = (isScrolling: boolean): void => {
    const element = scroller.current;
    if (element) view.look(windowAt(element.scrollTop, element.clientHeight, isScrolling));
  };
  useEffect(() => lookAt(false), []);
  const settling = useRef<{ cancel(): void } | undefined>(undefined);
  const onScroll = (): void => {
    lookAt(true);
    settling.current?.cancel();
    settling.current = app().runtime.clock.setTimer(settleMs, () => lookAt(false));
  };
  const fixed = ["28px", ...(showsNamespace ? ["var(--namespace)"] : [])];
  const others = widths.current.map((width) => `calc(${width}ch + 18px)`);
  const columns = [...fixed, "minmax(var(--name), 1fr)", ...others].join(" ");
  // Known in advance, so that no row has to be measured.
  const width = `max(100%, ${[...fixed, "var(--name)", ...others].join(" + ")})`;
  const onKeyDown = (event: KeyboardEvent): void => gridKeys(event, { info, view, scroller: scroller.current });
  return (
    <div
      class="grid"
      role="table"
      aria-label={pluralTitle(info)}
      aria-rowcount={table.matched + 1}
      ref={scroller}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      id="rows"
      tabIndex={0}
      style={{ "--columns": columns }}
    >
      <div class="row head" role="row" aria-rowindex={1} style={{ width }}>
        <span role="columnheader">
          <span class="hidden">Selected</span>
        </span>
        {showsNamespace && <HeadCell name="Namespace" title="" sort={view.sort} />}
        <HeadCell name="Name" title="" sort={view.sort} />
        {indexes.map((at) => (
          <HeadCell
            key={at}
            name={table.columns[at]?.name ?? ""}
            title={table.columns[at]?.description ?? ""}
            sort={view.sort}
          />
        ))}
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${table.matched * rowHeight}px`, width }}>
        {table.rows.map((row, at) => (
          <Row
            key={(table.from + at) % view.range.current.places}
            {...{ info, row, view, indexes, showsNamespace }}
            index={table.from + at}
            isCurrent={table.from + at === cursor.value}
            isSelected={view.selected.value.has(row.key)}
          />
        ))}
      </div>
      {table.matched === 0 && table.status !== "loading" && !table.problem && <Empty info={info} total={table.total} />}
    </div>
  );
}

/** So long after the last line of scrolling, only what is seen is kept. */
const settleMs = 250;

const Empty = ({ info, total }: { readonly info: ResourceInfo; readonly total: number }) => (
  <p class="empty">
    {total > 0
      ? `None of ${total.toLocaleString("en")} matches the filter.`
      : `There are no ${pluralTitle(info).toLowerCase()}${info.namespaced && param("ns") !== "" ? ` in ${param("ns")}` : ""}.`}
  </p>
);

function HeadCell({
  name,
  title,
  sort,
}: {
  readonly name: string;
  readonly title: string;
  readonly sort: SortOrder | undefined;
}) {
  const isSorted = sort?.column === name;
  const next = isSorted ? (sort.descending ? "" : `${name}:desc`) : name;
  return (
    <span role="columnheader" aria-sort={isSorted ? (sort.descending ? "descending" : "ascending") : "none"}>
      <Button title={title} onClick={() => setParams({ sort: next })}>
        {name}
        {isSorted && <span aria-hidden="true">{sort.descending ? " ↓" : " ↑"}</span>}
      </Button>
    </span>
  );
}

interface RowProps {
  readonly info: ResourceInfo;
  readonly row: RowView;
  readonly index: number;
  readonly view: TableModel;
  readonly indexes: readonly number[];
  readonly showsNamespace: boolean;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
}

/** Pure: whether two rows look the same. Every state from the worker is a copy, so that no two are the same object. */
function isSameRow(a: RowProps, b: RowProps): boolean {
  return (
    a.index === b.index &&
    a.isCurrent === b.isCurrent &&
    a.isSelected === b.isSelected &&
    a.showsNamespace === b.showsNamespace &&
    a.row.key === b.row.key &&
    a.row.isDeleting === b.row.isDeleting &&
    a.indexes.length === b.indexes.length &&
    a.row.cells.every((cell, at) => cell === b.row.cells[at])
  );
}

/** One row. What did not change is not drawn again: that is most of a table at each change and at each line of scrolling. */
class Row extends Component<RowProps> {
  #drawn: { readonly props: RowProps; readonly node: VNode } | undefined;

  override componentWillUnmount(): void {
    this.props.view.budget.forget(this);
  }

  override render(props: RowProps): VNode | null {
    const isNew = !this.#drawn || !isSameRow(this.#drawn.props, props);
    if (isNew && props.view.budget.mayDraw(this)) this.#drawn = { props, node: this.#draw(props) };
    return this.#drawn?.node ?? null;
  }

  #draw({ info, row, index, view, indexes, showsNamespace, isCurrent, isSelected }: RowProps): VNode {
    const { table, cursor } = view;
    return (
      <div
        class={`row${isCurrent ? " current" : ""}${row.isDeleting ? " deleting" : ""}`}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        style={{ transform: `translateY(${index * rowHeight}px)` }}
        onClick={() => (cursor.value = index)}
      >
        <span role="cell">
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${row.name}`}
            checked={isSelected}
            onChange={() => toggle(view, row)}
          />
        </span>
        {showsNamespace && cellOf(row.namespace, "", -1)}
        <span role="cell" class="name">
          <a href={keepLasting(objectHash({ ...info, namespace: row.namespace, name: row.name }))} title={row.name}>
            {row.name}
          </a>
        </span>
        {indexes.map((at) =>
          table.columns[at]?.isAge ? (
            <Age key={at} created={row.created} />
          ) : (
            cellOf(row.cells[at] ?? "", table.columns[at]?.name ?? "", at)
          ),
        )}
      </div>
    );
  }
}

const toned = new Set(["Status", "Phase", "Ready", "Reason", "Type", "State", "Health", "Available"]);

/** Not a component: there are hundreds of them. */
const cellOf = (text: string, column: string, at: number) => (
  <span
    key={at}
    role="cell"
    class={toned.has(column) ? `tone-${toneOf(text)}` : ""}
    title={text.length > 20 ? text : undefined}
  >
    {text}
  </span>
);

/** From here on an age is shown without seconds. */
const slowFromMs = 10 * 60_000;

function Age({ created }: { readonly created: number }) {
  const isOld = slowNow.value - created > slowFromMs;
  return (
    <span role="cell" title={created === 0 ? "" : new Date(created).toISOString()}>
      {created === 0 ? "" : humanDuration((isOld ? slowNow : now).value - created)}
    </span>
  );
}

function toggle({ selected }: TableModel, row: RowView): void {
  const next = new Map(selected.value);
  if (!next.delete(row.key)) next.set(row.key, row);
  selected.value = next;
}

/** Keys of a table, as in k9s. */
function gridKeys(
  event: KeyboardEvent,
  { info, view, scroller }: { info: ResourceInfo; view: TableModel; scroller: HTMLElement | null },
): void {
  if (isTyping(event) && (event.target as HTMLInputElement).type !== "checkbox") return;
  const { table, cursor } = view;
  const row = table.rows[cursor.value - table.from];
  const step = moves[event.key];
  const open = (tab: string): void => {
    if (row) go(objectHash({ ...info, namespace: row.namespace, name: row.name }, { tab }));
  };
  if (step !== undefined && !event.ctrlKey) {
    event.preventDefault();
    cursor.value = Math.max(0, Math.min(table.matched - 1, cursor.value + step));
    const top = scroller && scrollFor(cursor.value, scroller.scrollTop, scroller.clientHeight - rowHeight);
    if (scroller && top !== undefined && top !== null) scroller.scrollTop = top;
  } else if (event.ctrlKey && event.key === "d" && row && can(info, "delete") && !app().cluster.readOnly) {
    event.preventDefault();
    const ref = refTo(info, row);
    const action = actionsFor(info, ref, "").find(({ id }) => id === "delete");
    if (action) openDialog({ kind: "action", actions: [{ action, ref }] });
  } else if (event.ctrlKey || event.altKey || event.metaKey) return;
  else if (event.key === " " && row) {
    event.preventDefault();
    toggle(view, row);
  } else if (event.key === "Enter" && event.target === scroller) open("");
  else if (event.key === "d") open("");
  else if (event.key === "e") open("yaml");
  else if (event.key === "l") open("logs");
  else if (event.key === "s") open("terminal");
  else if (event.key === "w") setParams({ wide: param("wide") === "" ? "1" : "" });
  else if (event.key === "Escape") history.back();
}

const moves: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  j: 1,
  k: -1,
  PageDown: 20,
  PageUp: -20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
