import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

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

const widgets = "/apis/example.com/v1/namespaces/default/widgets";
const widget = (name: string, metadata: object = {}) => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name, ...metadata },
});

async function start() {
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
  });
  const admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
  const stopped = new AbortController();
  const watched = admin.watch({ method: "GET", path: `${path}?watch=1`, signal: stopped.signal });
  const events = watched[Symbol.asyncIterator]();
  /** The first event in which the definition is as wanted. */
  const until = async (wanted: (object: Shown, type: string) => boolean) => {
    for (;;) {
      const { type, object } = (await events.next()).value as { type: string; object: Shown };
      if (wanted(object, type)) return object;
    }
  };
  const create = async (body: object = definition) => {
    await admin.request({ method: "POST", path, body });
    return until(({ status }) => condition(status, "Established") === "True InitialNamesAccepted");
  };
  const stop = async () => {
    stopped.abort();
    await server.stop();
  };
  return { admin, until, create, stop };
}
const condition = ({ conditions }: Shown["status"], type: string): string | undefined =>
  conditions?.filter((each) => each.type === type).map(({ status, reason }) => `${status} ${reason}`)[0];

describe("a definition", () => {
  it("is served by the time it is reported as established", async () => {
    const { admin, create, stop } = await start();
    const { status } = await create();
    expect(condition(status, "NamesAccepted")).toBe("True NoConflicts");
    await admin.request({ method: "POST", path: widgets, body: widget("a") });
    expect(await admin.request({ method: "GET", path: `${widgets}/a` })).toMatchObject({ metadata: { generation: 1 } });
    await stop();
  });

  it("may have rules in CEL, which are compiled with it and checked for each of its objects", async () => {
    const { admin, create, stop } = await start();
    const withRule = (rule: string) => {
      const spec = {
        type: "object",
        properties: { size: { type: "integer" } },
        "x-kubernetes-validations": [{ rule }],
      };
      const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
      return { ...definition, spec: { ...definition.spec, versions: [{ ...definition.spec.versions[0], schema }] } };
    };
    await expect(admin.request({ method: "POST", path, body: withRule("self.sise > 1") })).rejects.toThrow(
      "undefined field 'sise'",
    );
    await create(withRule("self.size > 1 && (!has(self.size) || self.size < 10)"));
    const sized = (name: string, size: number) => ({ ...widget(name), spec: { size } });
    await admin.request({ method: "POST", path: widgets, body: sized("fits", 5) });
    await expect(admin.request({ method: "POST", path: widgets, body: sized("large", 50) })).rejects.toThrow(
      "failed rule: self.size > 1 && (!has(self.size) || self.size < 10)",
    );
    await stop();
  });

  it("gets its names once the definition that has them is gone", async () => {
    const { admin, until, create, stop } = await start();
    await create();
    const names = { plural: "gadgets", kind: "Widget" };
    await admin.request({
      method: "POST",
      path,
      body: { ...definition, metadata: { name: "gadgets.example.com" }, spec: { ...definition.spec, names } },
    });
    await until(({ status }) => condition(status, "NamesAccepted") === "False ListKindConflict");
    await admin.request({ method: "DELETE", path: `${path}/widgets.example.com` });
    await until(({ status }) => condition(status, "NamesAccepted") === "True NoConflicts");
    await stop();
  });

  it("that is deleted takes its objects with it, and waits for those with finalizers", async () => {
    const { admin, until, create, stop } = await start();
    await create();
    await admin.request({ method: "POST", path: widgets, body: widget("free") });
    await admin.request({ method: "POST", path: widgets, body: widget("held", { finalizers: ["example.com/hold"] }) });
    const marked = (await admin.request({ method: "DELETE", path: `${path}/widgets.example.com` })) as Shown;
    expect(terminating(marked)).toBe("True InstanceDeletionPending");
    expect(marked.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    await until((object) => terminating(object) === "True InstanceDeletionInProgress");
    await expect(admin.request({ method: "POST", path: widgets, body: widget("late") })).rejects.toThrow(
      "create not allowed while custom resource definition is terminating",
    );
    await admin.request({
      method: "PATCH",
      path: `${widgets}/held`,
      headers: { "content-type": "application/merge-patch+json" },
      body: { metadata: { finalizers: null } },
    });
    await until((_, type) => type === "DELETED");
    await expect(admin.request({ method: "GET", path: widgets })).rejects.toThrow("404 page not found");
    await stop();
  });

  it("stays for another's finalizer, and reports that its custom resources are gone", async () => {
    const { admin, until, create, stop } = await start();
    await create({ ...definition, metadata: { ...definition.metadata, finalizers: ["example.com/hold"] } });
    await admin.request({ method: "DELETE", path: `${path}/widgets.example.com` });
    const last = await until((object) => terminating(object) === "False InstanceDeletionCompleted");
    expect(last.metadata.finalizers).toEqual(["example.com/hold"]);
    await stop();
  });
});
