import type { metaV1 } from "@coxswain/api/types";
import type { RestClient } from "../rest/index.js";
import type { CachedObject } from "../stores/index.js";
import type { TransportRequest } from "../transport/index.js";
import type { ListerWatcher, WatchEvent } from "../watch/index.js";

/** A column as the server describes it. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** A row of a Table, in the shape that a reflector takes. */
export interface TableRow extends CachedObject {
  readonly metadata: NonNullable<CachedObject["metadata"]> & {
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly metaV1.OwnerReference[];
  };
  readonly cells: readonly unknown[];
}

interface Table {
  readonly kind?: string;
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly columnDefinitions?: readonly TableColumn[] | null;
  readonly rows?:
    | readonly {
        readonly cells: readonly unknown[];
        readonly object?: { readonly metadata?: TableRow["metadata"] };
      }[]
    | null;
}

/** Of a server that prints no Tables. */
interface List {
  readonly metadata?: Table["metadata"];
  readonly items?: readonly Pick<TableRow, "metadata">[] | null;
}

/** Servers that do not know `drop` answer all the same; `rowOf` leaves the member out then. Some aggregated APIs print no Tables. */
const accept =
  "application/json;as=Table;v=v1;g=meta.k8s.io;drop=metadata.managedFields,application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

/** As kubectl shows what its server does not print. */
const plainColumns: readonly TableColumn[] = [
  { name: "Name", type: "string", format: "name" },
  { name: "Age", type: "string" },
];

/** Lists and watches a resource as Tables: the server's own columns, for any kind. @param path of the resource, in a namespace or in all */
export function tableSource(
  rest: RestClient,
  path: string,
  onColumns: (columns: readonly TableColumn[]) => void,
): ListerWatcher<TableRow> {
  const request = (query: readonly (readonly [string, string])[], signal: AbortSignal): TransportRequest => ({
    method: "GET",
    path,
    query: [...query, ["includeObject", "Metadata"]],
    headers: { accept },
    signal,
  });
  // Go writes an empty list as null: events of a watch have no columns but for the first.
  const rowsOf = (answer: Table | List | TableRow): TableRow[] => {
    if (!("kind" in answer) || answer.kind !== "Table") {
      onColumns(plainColumns);
      const items = "items" in answer ? (answer.items ?? []) : [answer as TableRow];
      return items.map(({ metadata }) => rowOf([metadata.name, ""], metadata));
    }
    const { columnDefinitions, rows } = answer as Table;
    if (columnDefinitions && columnDefinitions.length > 0) onColumns(columnDefinitions);
    return (rows ?? []).map(({ cells, object }) => rowOf(cells, object?.metadata));
  };
  return {
    async list(asked, signal) {
      const table = (await rest.send(request(pairsOf(asked), signal))) as Table | List;
      return {
        items: rowsOf(table),
        resourceVersion: table.metadata?.resourceVersion ?? "",
        ...(table.metadata?.continue && { continue: table.metadata.continue }),
      };
    },
    async watch(asked, signal) {
      const stream = await rest.watch(request([["watch", "true"], ...pairsOf(asked)], signal));
      return {
        stop: () => stream.stop(),
        async *[Symbol.asyncIterator]() {
          for await (const batch of stream)
            yield batch.flatMap((event): WatchEvent<TableRow>[] => {
              if (event.type === "BOOKMARK" || event.type === "ERROR") return [event];
              return rowsOf(event.object as Table | TableRow).map((object) => ({ type: event.type, object }));
            });
        },
      };
    },
  };
}

function rowOf(cells: readonly unknown[], metadata: TableRow["metadata"] = {}): TableRow {
  const { managedFields: _, ...kept } = metadata as TableRow["metadata"] & { managedFields?: unknown };
  return { metadata: kept, cells };
}

const pairsOf = (asked: object): [string, string][] =>
  Object.entries(asked).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
