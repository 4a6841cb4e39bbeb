import { writeFileSync } from "node:fs";
import { append } from "@coxswain/apimachinery/append";
import { systemRuntime } from "@coxswain/runtime";
import { StoreError } from "../../contract/store-error.js";
import { openLmdbStore } from "../index.js";

/** Writes, lets every sync fail from then on (a preloaded library watches the trigger file), and reports what it saw. */
const [directory = "", trigger = ""] = process.argv.slice(2);
const failures: string[] = [];
const store = await openLmdbStore({
  directory,
  runtime: systemRuntime(),
  compaction: "off",
  reserveBytes: 0,
  onFailed: ({ reason }) => failures.push(reason),
});
const put = (key: string): Promise<string> =>
  store.put({ key, value: new Uint8Array(2000), expected: 0 }).then(
    ({ kind }) => kind,
    (err: unknown) => (err instanceof StoreError ? err.reason : String(err)),
  );
const before = await Promise.all(Array.from({ length: 20 }, (_, i) => put(`/before/${i}`)));
const events: string[] = [];
void store.watch(
  { prefix: "/", from: (await store.status()).revision },
  (batch) =>
    append(
      events,
      batch.map(({ key }) => key),
    ),
  new AbortController().signal,
);
writeFileSync(trigger, "");
const during = await Promise.all(Array.from({ length: 20 }, (_, i) => put(`/during/${i}`)));
const after = await put("/after");
const kept = (await store.range({ prefix: "/before/", countOnly: true })).count;
const shown = (await store.range({ prefix: "/during/", countOnly: true })).count;
const { readOnly } = await store.status();
await store.close();
console.log(
  JSON.stringify({
    before: [...new Set(before)],
    during: [...new Set(during)],
    after,
    kept,
    shown,
    readOnly: readOnly !== undefined,
    events,
    failures,
  }),
);
