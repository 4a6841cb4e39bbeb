import { builtInKinds } from "@coxswain/kinds";
import { describe, expect, it } from "vitest";
import { type CacheEntry, withBytes } from "../../cache/cache-entry.js";
import { rowOf, rowOfEntry } from "./table-row.js";

const pods = builtInKinds.find(({ resource }) => resource === "pods")!;
const now = Date.parse("2030-01-01T00:00:00Z");
const pod = (status: object) => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name: "a", creationTimestamp: "2029-12-31T23:59:00Z" },
  spec: { containers: [{ name: "c" }] },
  status,
});

const entryOf = (object: object): CacheEntry =>
  withBytes(
    { key: "/a", revision: 1, namespace: "", labels: undefined, fields: undefined, stale: false },
    Buffer.from(JSON.stringify(object)),
  );

describe("rows of a table", () => {
  const cases = [
    { name: "only the age changes", object: pod({ phase: "Running" }) },
    {
      name: "a restart some time ago changes too",
      object: pod({
        phase: "Running",
        containerStatuses: [
          { name: "c", restartCount: 2, lastState: { terminated: { finishedAt: "2029-12-31T23:59:30Z" } } },
        ],
      }),
    },
  ];
  it("cells are written as Go writes text", () =>
    expect(rowOf(pods, pod({ phase: "Running", reason: "<&>" }), now)).toContain('"\\u003c\\u0026\\u003e"'));
  for (const { name, object } of cases) {
    it(`${name}: a row that was kept is like a new one`, () => {
      const entry = entryOf(object);
      for (const at of [now, now, now + 60_000, now + 1e9])
        expect(rowOfEntry(pods, entry, at)).toBe(rowOf(pods, object, at));
    });
  }
});
