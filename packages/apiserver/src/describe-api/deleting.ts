import assert from "node:assert/strict";
import type { ApiCheck } from "./api-check.js";
import { namesOf } from "./api-session.js";

export const deletingChecks: readonly ApiCheck[] = [
  {
    title: "a deleted object is gone",
    async body(api) {
      await api.create("one");
      await api.done(api.ask("DELETE", api.path("one")));
      assert.equal(await api.refusal(api.read("one")), "NotFound");
    },
  },
  {
    title: "a finalizer holds the object until it is removed",
    async body(api) {
      await api.create("one");
      await api.done(api.patch("one", "merge", { metadata: { finalizers: ["example.com/hold"] } }));
      await api.done(api.ask("DELETE", api.path("one")));
      assert.ok((await api.done(api.read("one"))).metadata.deletionTimestamp);
      await api.done(api.patch("one", "merge", { metadata: { finalizers: null } }));
      assert.equal(await api.refusal(api.read("one")), "NotFound");
    },
  },
  {
    title: "a deletion with another uid as its precondition is a conflict",
    async body(api) {
      await api.create("one");
      const value = { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "another" } };
      assert.equal(await api.refusal(api.ask("DELETE", api.path("one"), { body: { value } })), "Conflict");
    },
  },
  {
    title: "a collection is deleted by selector",
    async body(api) {
      await api.create("one", { color: "red" });
      await api.create("two", { color: "blue" });
      await api.done(api.ask("DELETE", api.path(), { query: { labelSelector: "color=red" } }));
      assert.deepEqual(namesOf(await api.list()), ["two"]);
    },
  },
];
