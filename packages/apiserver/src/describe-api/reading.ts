import assert from "node:assert/strict";
import type { ApiCheck } from "./api-check.js";
import { namesOf } from "./api-session.js";

const tableType = "application/json;as=Table;v=v1;g=meta.k8s.io";
const metadataType = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

export const readingChecks: readonly ApiCheck[] = [
  {
    title: "a created object is read back as it was answered",
    async body(api) {
      const created = await api.create("one");
      assert.deepEqual(await api.done(api.read("one")), created);
      assert.ok(created.metadata.uid && created.metadata.resourceVersion && created.metadata.creationTimestamp);
    },
  },
  {
    title: "what is not there is not found",
    async body(api) {
      assert.equal(await api.refusal(api.read("nobody")), "NotFound");
    },
  },
  {
    title: "a list in pages is the whole list, in order of names",
    async body(api) {
      for (const name of ["c", "a", "b"]) await api.create(name);
      const first = await api.list({ limit: "2" });
      const second = await api.list({ limit: "2", continue: first.metadata.continue ?? "" });
      assert.deepEqual([...namesOf(first), ...namesOf(second)], ["a", "b", "c"]);
      assert.equal(second.metadata.continue, undefined);
    },
  },
  {
    title: "selectors of labels and fields select",
    async body(api) {
      await api.create("one", { color: "red" });
      await api.create("two", { color: "blue" });
      assert.deepEqual(namesOf(await api.list({ labelSelector: "color in (red)" })), ["one"]);
      assert.deepEqual(namesOf(await api.list({ fieldSelector: "metadata.name=two" })), ["two"]);
      assert.equal(
        await api.refusal(api.ask("GET", api.path(), { query: { fieldSelector: "metadata.nonsense=1" } })),
        "BadRequest",
      );
    },
  },
  {
    title: "a Table has a row per object, named first",
    async body(api) {
      await api.create("one");
      const { value } = await api.ask("GET", api.path(), { accept: tableType });
      const table = value as { kind: string; columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
      assert.equal(table.kind, "Table");
      assert.equal(table.columnDefinitions[0]?.name, "Name");
      assert.deepEqual(
        table.rows.map(({ cells }) => [cells[0], cells.length]),
        [["one", table.columnDefinitions.length]],
      );
    },
  },
  {
    title: "metadata alone is answered where it is asked for",
    async body(api) {
      const { metadata } = await api.create("one");
      const { value } = await api.ask("GET", api.path("one"), { accept: metadataType });
      const partial = value as { kind: string; metadata: object };
      assert.equal(partial.kind, "PartialObjectMetadata");
      assert.deepEqual(partial.metadata, metadata);
      assert.deepEqual(Object.keys(partial).sort(), ["apiVersion", "kind", "metadata"]);
    },
  },
  {
    title: "OpenAPI describes the kind",
    async body(api) {
      const { group, version } = api.under;
      const { value } = await api.ask("GET", `/openapi/v3/apis/${group}/${version}`);
      const { schemas } = (value as { components: { schemas: Record<string, object> } }).components;
      const kind = await api.kind();
      const described = Object.values(schemas).filter((schema) =>
        JSON.stringify(schema).includes(`"x-kubernetes-group-version-kind":[{"group":"${group}","kind":"${kind}"`),
      );
      assert.equal(described.length, 1);
    },
  },
];
