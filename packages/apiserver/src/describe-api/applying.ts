import assert from "node:assert/strict";
import type { ApiCheck } from "./api-check.js";
import type { ApiSession } from "./api-session.js";

const apply = async (api: ApiSession, manager: string, more: object, query: Readonly<Record<string, string>> = {}) => {
  const { metadata, ...head } = await api.newObject("one");
  return api.patch("one", "apply", { ...head, metadata, ...more }, { fieldManager: manager, ...query });
};

export const applyingChecks: readonly ApiCheck[] = [
  {
    title: "an apply creates, and its manager owns what it applied",
    async body(api) {
      const { metadata } = await api.done(apply(api, "first", {}));
      const [entry] = metadata.managedFields ?? [];
      assert.deepEqual([entry?.manager, entry?.operation], ["first", "Apply"]);
    },
  },
  {
    title: "the same apply again is no write",
    async body(api) {
      const first = await api.done(apply(api, "first", {}));
      const again = await api.done(apply(api, "first", {}));
      assert.equal(again.metadata.resourceVersion, first.metadata.resourceVersion);
    },
  },
  {
    title: "an apply of what another manager owns is a conflict, until it is forced",
    async body(api) {
      await api.done(apply(api, "first", {}));
      assert.equal(await api.refusal(apply(api, "second", api.under.change)), "Conflict");
      const forced = await api.done(apply(api, "second", api.under.change, { force: "true" }));
      assert.ok(forced.metadata.managedFields?.some(({ manager }) => manager === "second"));
    },
  },
  {
    title: "a label that its manager no longer applies goes",
    async body(api) {
      const labelled = { metadata: { name: "one", labels: { mine: "yes" } } };
      assert.deepEqual((await api.done(apply(api, "first", labelled))).metadata.labels, { mine: "yes" });
      assert.equal((await api.done(apply(api, "first", {}))).metadata.labels, undefined);
    },
  },
];
