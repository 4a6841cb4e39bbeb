import { systemClock } from "@coxswain/apimachinery/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../server/api-server.js";
import { createInProcessClient } from "../../server/in-process-client.js";

const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};
interface Shown {
  readonly metadata: { readonly finalizers?: readonly string[]; readonly deletionTimestamp?: string };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[];
  };
}
const terminating = ({ status }: Shown): string | undefined =>
  status.conditions
    ?.filter(({ type }) => type === "Terminating")
    .map(({ status: state, reason }) => `${state} ${reason}`)[0];

describe("a definition that is deleted", () => {
  it("is marked, and goes once nothing is left of its custom resources", async () => {
    const server = await startApiServer({ store: createMemoryStore({ clock: systemClock }) });
    const admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    await admin.request({ method: "POST", path, body: definition });
    const dry = (await admin.request({ method: "DELETE", path: `${path}/widgets.example.com?dryRun=All` })) as Shown;
    expect(terminating(dry)).toBe("True InstanceDeletionPending");
    const stop = new AbortController();
    const events = admin.watch({ method: "GET", path: `${path}?watch=1`, signal: stop.signal })[Symbol.asyncIterator]();
    const next = async () => (await events.next()).value as { type: string; object: Shown };
    expect((await next()).object.metadata.deletionTimestamp).toBeUndefined();
    const marked = (await admin.request({ method: "DELETE", path: `${path}/widgets.example.com` })) as Shown;
    expect(marked.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    const seen = [await next(), await next(), await next()].map(({ type, object }) => [type, terminating(object)]);
    expect(seen).toEqual([
      ["MODIFIED", "True InstanceDeletionPending"],
      ["MODIFIED", "True InstanceDeletionInProgress"],
      ["DELETED", "True InstanceDeletionInProgress"],
    ]);
    stop.abort();
    await expect(admin.request({ method: "GET", path: `${path}/widgets.example.com` })).rejects.toThrow("not found");
    await server.stop();
  });

  it("stays for another's finalizer, and says that its custom resources are gone", async () => {
    const server = await startApiServer({ store: createMemoryStore({ clock: systemClock }) });
    const admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    await admin.request({
      method: "POST",
      path,
      body: { ...definition, metadata: { ...definition.metadata, finalizers: ["example.com/hold"] } },
    });
    const stop = new AbortController();
    const events = admin.watch({ method: "GET", path: `${path}?watch=1`, signal: stop.signal })[Symbol.asyncIterator]();
    const next = async () => ((await events.next()).value as { object: Shown }).object;
    await next();
    await admin.request({ method: "DELETE", path: `${path}/widgets.example.com` });
    const [, , last] = [await next(), await next(), await next()] as const;
    expect([terminating(last), last.metadata.finalizers]).toEqual(["False NeverEstablished", ["example.com/hold"]]);
    stop.abort();
    await server.stop();
  });
});
