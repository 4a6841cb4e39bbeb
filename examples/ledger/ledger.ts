// Objects that are rows of another database: nothing of them is in the server's store.
import { setTimeout as pause } from "node:timers/promises";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { ApiGroup, ListPage, ResourceStorage, ServedKind } from "@coxswain/apiserver/library";
import { keyOf, type Row, type Table } from "./table.js";

export interface Entry extends KubernetesObject {
  spec: { cents: number; text?: string };
}

const objectOf = ({ branch, entry, cents, document, changed }: Row): Entry => {
  const { metadata, spec } = JSON.parse(document) as Entry;
  const own = { ...metadata, namespace: branch, name: entry, resourceVersion: String(changed) };
  return { metadata: own, spec: { ...spec, cents } };
};

const rowOf = ({ metadata, spec }: Entry): Omit<Row, "changed"> => ({
  branch: metadata?.namespace ?? "",
  entry: metadata?.name ?? "",
  cents: spec.cents,
  document: JSON.stringify({ metadata, spec }),
});

const versionOf = (changed: number | undefined): string | undefined =>
  changed === undefined ? undefined : String(changed);

/** A branch is a namespace, and the table's own counter is the resourceVersion. */
export function tableStorage(table: Table, intervalMs = 20): ResourceStorage<Entry> {
  const list = async (branch: string, after = "", limit = 0): Promise<ListPage<Entry>> => {
    const { changes } = table;
    const rows = await table.select({ branch, after, limit: limit > 0 ? limit + 1 : 0 });
    const page = limit > 0 ? rows.slice(0, limit) : rows;
    const last = page.at(-1);
    return {
      items: page.map(objectOf),
      resourceVersion: String(changes),
      ...(last && page.length < rows.length && { continue: keyOf(last) }),
    };
  };
  return {
    async get({ namespace, name }) {
      const row = await table.find(namespace, name);
      return row && objectOf(row);
    },
    list: (query) => list(query.namespace, query.continue, query.limit),
    async watch({ namespace, from }, onChange, { signal }) {
      for (let seen = Number(from); !signal.aborted; await pause(intervalMs))
        for (const { type, row, previous } of await table.since(seen)) {
          seen = row.changed;
          if (namespace !== "" && row.branch !== namespace) continue;
          onChange({ type, object: objectOf(row), previous: previous && objectOf(previous) });
        }
    },
    create: async (entry) => versionOf(await table.write(rowOf(entry as Entry), undefined)),
    update: async (entry, expected) => versionOf(await table.write(rowOf(entry as Entry), Number(expected))),
    delete: async ({ namespace, name }, expected) =>
      versionOf(await table.delete({ branch: namespace, entry: name }, Number(expected))),
  };
}

const entries: ServedKind<Entry> = {
  kind: "Entry",
  scope: "Namespaced",
  columns: [{ name: "Cents", type: "integer", jsonPath: ".spec.cents" }],
  versions: [
    {
      name: "v1",
      schema: {
        type: "object",
        required: ["spec"],
        properties: {
          spec: {
            type: "object",
            required: ["cents"],
            properties: { cents: { type: "integer" }, text: { type: "string", maxLength: 80 } },
          },
        },
      },
    },
  ],
};

export const ledger = (table: Table): ApiGroup => ({
  name: "ledger.example.com",
  kinds: [{ ...entries, storage: tableStorage(table) }],
});
