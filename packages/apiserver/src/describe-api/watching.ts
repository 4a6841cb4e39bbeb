import assert from "node:assert/strict";
import type { ApiCheck } from "./api-check.js";
import type { Written } from "./api-session.js";

export const watchingChecks: readonly ApiCheck[] = [
  {
    title: "a watch from a revision has every change after it, in order",
    async body(api) {
      const { metadata } = await api.list();
      await api.create("one");
      await api.done(api.patch("one", "merge", api.under.change));
      await api.done(api.ask("DELETE", api.path("one")));
      const events = await api.events(metadata.resourceVersion, 3);
      assert.deepEqual(
        events.map(({ type }) => type),
        ["ADDED", "MODIFIED", "DELETED"],
      );
    },
  },
  {
    title: "a watch delivers what happens while it is open",
    async body(api) {
      const { metadata } = await api.create("one");
      const watching = api.events(metadata.resourceVersion ?? "", 1);
      await api.create("two");
      const [event] = await watching;
      assert.equal(event?.type, "ADDED");
      assert.equal((event as unknown as { object: Written }).object.metadata.name, "two");
    },
  },
];
