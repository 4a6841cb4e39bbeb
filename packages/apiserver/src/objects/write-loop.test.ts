import { isStatusError } from "@coxswain/apimachinery/status";
import { systemRuntime } from "@coxswain/runtime";
import { type KeyEvent, type KeyValueStore, passOn } from "@coxswain/storage";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";

interface LaggingStore extends KeyValueStore {
  /** Events stay away until `catchUp`, as from an etcd that another server has written to a moment ago. */
  lag(): void;
  catchUp(): void;
}

function lagging(inner: KeyValueStore): LaggingStore {
  let held: (() => void)[] | undefined;
  return {
    ...passOn(inner),
    readRevision: async () => inner.readRevision(),
    watch: (query, onBatch, signal) =>
      inner.watch(
        query,
        (events: readonly KeyEvent[], progress: number) => {
          if (held) held.push(() => onBatch([...events], progress));
          else onBatch(events, progress);
        },
        signal,
      ),
    lag: () => void (held = []),
    catchUp() {
      const late = held ?? [];
      held = undefined;
      for (const deliver of late) deliver();
    },
  };
}

const collection = "/api/v1/namespaces/default/configmaps";
const key = (name: string): string => `/registry/configmaps/default/${name}`;
const objectOf = (name: string, data: Record<string, string>) => ({
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: { name, namespace: "default", uid: `uid-of-${name}`, creationTimestamp: "2024-01-01T00:00:00Z" },
  data,
});
const bytesOf = (object: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(object)}\n`);

interface Case {
  readonly name: string;
  /** What the cache knows; undefined: nothing. */
  readonly known?: Record<string, string>;
  /** What another server has made of it since; undefined: deleted, or never created. */
  readonly since?: Record<string, string>;
  readonly request: (
    name: string,
    revision: { readonly known: number; readonly since: number },
  ) => {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** A code of refusal, or what the object holds then. */
  readonly answer: number | Record<string, string>;
}

const patch = (name: string, data: Record<string, string>, query = "") => ({
  method: "PATCH",
  path: `${collection}/${name}${query}`,
  body: { data },
  headers: { "content-type": "application/merge-patch+json" },
});
const put = (name: string, data: Record<string, string>, revision?: number) => {
  const { metadata, ...rest } = objectOf(name, data);
  const versioned = revision === undefined ? metadata : { ...metadata, resourceVersion: String(revision) };
  return { method: "PUT", path: `${collection}/${name}`, body: { ...rest, metadata: versioned } };
};
const remove = (name: string, revision?: number) => ({
  method: "DELETE",
  path: `${collection}/${name}`,
  body: {
    kind: "DeleteOptions",
    apiVersion: "v1",
    ...(revision !== undefined && { preconditions: { resourceVersion: String(revision) } }),
  },
});

const cases: readonly Case[] = [
  {
    name: "a patch finds what another server has created",
    since: { a: "1" },
    request: (name) => patch(name, { b: "2" }),
    answer: { a: "1", b: "2" },
  },
  {
    name: "a patch of what nobody has created is refused",
    request: (name) => patch(name, { b: "2" }),
    answer: 404,
  },
  {
    name: "a patch of what another server has deleted is refused",
    known: { a: "1" },
    request: (name) => patch(name, { b: "2" }),
    answer: 404,
  },
  {
    name: "an update of the version that another server has written is no conflict",
    known: { a: "1" },
    since: { a: "2" },
    request: (name, { since }) => put(name, { a: "3" }, since),
    answer: { a: "3" },
  },
  {
    name: "an update of the version before is one",
    known: { a: "1" },
    since: { a: "2" },
    request: (name, { known }) => put(name, { a: "3" }, known),
    answer: 409,
  },
  {
    name: "an update that changes nothing of what is known, but something of what another server wrote, is a write",
    known: { a: "1" },
    since: { a: "2" },
    request: (name) => put(name, { a: "1" }),
    answer: { a: "1" },
  },
  {
    name: "a deletion finds what another server has created",
    since: { a: "1" },
    request: (name) => remove(name),
    answer: {},
  },
  {
    name: "a deletion of the version that another server has written is no conflict",
    known: { a: "1" },
    since: { a: "2" },
    request: (name, { since }) => remove(name, since),
    answer: {},
  },
  {
    name: "a name that another server has freed can be taken",
    known: { a: "1" },
    request: (name) => ({ method: "POST", path: collection, body: objectOf(name, { a: "2" }) }),
    answer: { a: "2" },
  },
  {
    name: "a dry run starts from what another server wrote",
    known: { a: "1" },
    since: { a: "2" },
    request: (name) => patch(name, { b: "2" }, "?dryRun=All"),
    answer: { a: "2", b: "2" },
  },
];

describe("a write by a server whose cache lags behind another server's writes", () => {
  const inner = createMemoryStore({ runtime: systemRuntime() });
  const store = lagging(inner);
  let server: ApiServer;
  beforeAll(async () => void (server = await startApiServer({ runtime: systemRuntime(), store })));
  afterAll(() => server.stop());

  async function writeElsewhere(name: string, expected: number, data: Case["since"]): Promise<number> {
    if (data === undefined) {
      if (expected > 0) await inner.delete({ key: key(name), expected });
      return 0;
    }
    const written = await inner.put({ key: key(name), value: bytesOf(objectOf(name, data)), expected });
    return written.kind === "written" ? written.revision : 0;
  }

  for (const [index, { name: title, known, since, request, answer }] of cases.entries())
    it(title, async () => {
      const admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
      const name = `object-${index}`;
      const before = await writeElsewhere(name, 0, known);
      store.lag();
      try {
        const revision = { known: before, since: await writeElsewhere(name, before, since) };
        const sent = admin.request(request(name, revision)).then(
          (object) => (object as { data?: Record<string, string> }).data ?? {},
          (error: unknown) => (isStatusError(error) ? error.status.code : error),
        );
        expect(await sent).toEqual(answer);
      } finally {
        store.catchUp();
      }
    });
});
