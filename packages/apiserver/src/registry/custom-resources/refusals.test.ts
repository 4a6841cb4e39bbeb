import { isStatusError } from "@coxswain/apimachinery/status";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const things = "/apis/example.com/v1/namespaces/default/things";
const apply = { "content-type": "application/apply-patch+yaml" };

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { replicas: { type: "integer" } } },
              status: { type: "object", properties: { replicas: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
};

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

describe("what a custom resource is refused for", () => {
  let server: ApiServer;
  let admin: InProcessClient;
  let current = "";
  let currentThird = "";
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const stopped = new AbortController();
    await admin.request({ method: "POST", path: definitions, body: definition });
    const path = `${definitions}?watch=1`;
    for await (const { object } of admin.watch({ method: "GET", path, signal: stopped.signal })) {
      const { status } = object as { status: { conditions?: { type: string; status: string }[] } };
      if (status.conditions?.some(({ type, status }) => type === "Established" && status === "True")) break;
    }
    stopped.abort();
    const create = (name: string, spec: object): Promise<unknown> =>
      admin.request({ method: "POST", path: things, body: { ...other(name), kind: "Thing", spec } });
    await create("one", { replicas: 3 });
    await create("none", {});
    const third = (await create("three", { replicas: 3 })) as ReturnType<typeof other>;
    currentThird = third.metadata.resourceVersion ?? "";
    const stored = (await admin.request({ method: "GET", path: `${things}/one` })) as ReturnType<typeof other>;
    current = stored.metadata.resourceVersion ?? "";
  });
  afterAll(() => server.stop());

  const other = (name: string, metadata: { resourceVersion?: string; uid?: string; namespace?: string } = {}) => ({
    apiVersion: "example.com/v1",
    kind: "Other",
    metadata: { name, ...metadata },
    spec: {},
    status: { replicas: 1 },
  });
  const put = (name: string, body: object): Request => ({ method: "PUT", path: `${things}/${name}`, body });
  const answerTo = (request: Request): Promise<string> =>
    admin.request(request).then(
      () => "done",
      (error: unknown) => (isStatusError(error) ? `${error.status.code} ${error.message}` : String(error)),
    );

  // The order of upstream: endpoints/handlers/update.go, registry/generic/registry/store.go (Update), registry/rest/update.go (BeforeUpdate).
  const ofAnotherKind: { name: string; request: () => Request; answer: string }[] = [
    {
      name: "an update by its name first",
      request: () => put("one", other("two", { resourceVersion: "1" })),
      answer: "400 the name of the object (two) does not match the name on the URL (one)",
    },
    {
      name: "an update of what is not there",
      request: () => put("missing", other("missing", { resourceVersion: "1" })),
      answer: '404 things.example.com "missing" not found',
    },
    {
      name: "an update of an older version",
      request: () => put("one", other("one", { resourceVersion: "1" })),
      answer:
        '409 Operation cannot be fulfilled on things.example.com "one": the object has been modified; please apply your changes to the latest version and try again',
    },
    {
      name: "an update without a version",
      request: () => put("one", other("one")),
      answer:
        '422 things.example.com "one" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    },
    {
      name: "an update of this version by its kind",
      request: () => put("one", other("one", { resourceVersion: current })),
      answer: '422 Other.example.com "one" is invalid: kind: Invalid value: "Other": must be Thing',
    },
    {
      name: "a create in another namespace",
      request: () => ({ method: "POST", path: things, body: other("two", { namespace: "kube-system" }) }),
      answer: "400 the namespace of the provided object does not match the namespace sent on the request",
    },
    {
      name: "a create in a namespace that is not there",
      request: () => ({ method: "POST", path: things.replace("default", "nowhere"), body: other("two") }),
      answer: '404 namespaces "nowhere" not found',
    },
    {
      name: "a create by its kind",
      request: () => ({ method: "POST", path: things, body: other("two") }),
      answer: '422 Other.example.com "two" is invalid: kind: Invalid value: "Other": must be Thing',
    },
    {
      name: "an update of the status is not refused: all but the status is as it is stored",
      request: () => put("three/status", other("three", { resourceVersion: currentThird })),
      answer: "done",
    },
  ];
  for (const { name, request, answer } of ofAnotherKind)
    it(`of another kind: ${name}`, async () => {
      expect(await answerTo(request())).toBe(answer);
    });

  it("a status of another kind that is written leaves nobody's fields tracked", async () => {
    const stored = (await admin.request({ method: "GET", path: `${things}/three` })) as { metadata: object };
    expect(stored.metadata).not.toHaveProperty("managedFields");
  });

  const scale = (name: string, metadata: object = {}): Request => ({
    method: "PATCH",
    path: `${things}/${name}/scale?fieldManager=m&force=true`,
    headers: apply,
    body: { apiVersion: "autoscaling/v1", kind: "Scale", metadata: { name, ...metadata }, spec: { replicas: 9 } },
  });
  const cannot = "to proper version: request to convert CR to an invalid group/version: autoscaling/v1";
  const scales = [
    {
      name: "of replicas that somebody manages, as its result is converted",
      request: scale("one"),
      answer: `500 failed to convert new object (/one; autoscaling/v1, Kind=Scale) ${cannot}`,
    },
    {
      name: "of replicas that nobody manages, as the first manager is made",
      request: scale("none"),
      answer: `500 failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) ${cannot}`,
    },
    {
      name: "of replicas that nobody manages, before its own managed fields are looked at",
      request: scale("none", { managedFields: [] }),
      answer: `500 failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) ${cannot}`,
    },
  ];
  for (const { name, request, answer } of scales)
    it(`an apply to its Scale ${name}`, async () => {
      expect(await answerTo(request)).toBe(answer);
    });
});
