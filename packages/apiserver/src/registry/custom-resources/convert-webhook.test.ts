import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";
import { type HookServer, patched, startHookServer } from "../../webhook/hook-server.test.support.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const schema = {
  openAPIV3Schema: {
    type: "object",
    properties: { spec: { type: "object", properties: { host: { type: "string" }, address: { type: "string" } } } },
  },
};
const routes = (version: string): string => `/apis/example.com/${version}/namespaces/default/routes`;

interface Route {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: { readonly host?: string; readonly address?: string };
}
interface ConversionReview {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly Route[] };
}

/** v1 has `host`, v2 has `address`. */
function convert({ apiVersion, request }: ConversionReview): object {
  const { uid, desiredAPIVersion, objects } = request;
  const convertedObjects = objects.map(({ spec, ...rest }) => {
    const value = spec.host ?? spec.address ?? "";
    const isSecond = desiredAPIVersion === "example.com/v2";
    return { ...rest, apiVersion: desiredAPIVersion, spec: isSecond ? { address: value } : { host: value } };
  });
  return {
    apiVersion,
    kind: "ConversionReview",
    response: { uid, result: { status: "Success" }, convertedObjects },
  };
}

describe("a conversion webhook", () => {
  let hooks: HookServer;
  let server: ApiServer;
  let admin: InProcessClient;
  const asked: ConversionReview[] = [];
  let answer: (review: ConversionReview) => unknown = convert;
  beforeAll(async () => {
    hooks = await startHookServer();
    hooks.on("/convert", (body) => {
      asked.push(body as unknown as ConversionReview);
      return answer(body as unknown as ConversionReview);
    });
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const stopped = new AbortController();
    await admin.request({ method: "POST", path: definitions, body: definition() });
    for await (const { object } of admin.watch({
      method: "GET",
      path: `${definitions}?watch=1`,
      signal: stopped.signal,
    })) {
      const { status } = object as { status: { conditions?: { type: string; status: string }[] } };
      if (status.conditions?.some(({ type, status }) => type === "Established" && status === "True")) break;
    }
    stopped.abort();
    await admin.request({
      method: "POST",
      path: routes("v1"),
      body: { apiVersion: "example.com/v1", kind: "Route", metadata: { name: "a" }, spec: { host: "here" } },
    });
  });
  afterAll(async () => {
    await server.stop();
    await hooks.stop();
  });
  const definition = () => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "routes.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "routes", kind: "Route" },
      versions: [
        { name: "v1", served: true, storage: true, schema },
        { name: "v2", served: true, storage: false, schema },
      ],
      conversion: {
        strategy: "Webhook",
        webhook: {
          clientConfig: { url: `https://${hooks.host}/convert`, caBundle: hooks.caBundle },
          conversionReviewVersions: ["v1"],
        },
      },
    },
  });

  it("makes the other version of an object that is read", async () => {
    expect(await admin.request({ method: "GET", path: `${routes("v2")}/a` })).toMatchObject({
      apiVersion: "example.com/v2",
      metadata: { name: "a" },
      spec: { address: "here" },
    });
  });

  it("is asked once for all objects of a list", async () => {
    await admin.request({
      method: "POST",
      path: routes("v1"),
      body: { apiVersion: "example.com/v1", kind: "Route", metadata: { name: "b" }, spec: { host: "there" } },
    });
    asked.length = 0;
    expect(await admin.request({ method: "GET", path: routes("v2") })).toMatchObject({
      items: [{ spec: { address: "here" } }, { spec: { address: "there" } }],
    });
    expect(asked.map(({ request }) => request.objects.length)).toEqual([2]);
  });

  it("stores what is written in the other version", async () => {
    await admin.request({
      method: "POST",
      path: routes("v2"),
      body: { apiVersion: "example.com/v2", kind: "Route", metadata: { name: "c" }, spec: { address: "far" } },
    });
    expect(await admin.request({ method: "GET", path: `${routes("v1")}/c` })).toMatchObject({ spec: { host: "far" } });
  });

  it("makes the version that an admission webhook wants to see, and brings back what that one changes", async () => {
    const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    hooks.on("/mutate", (review) => patched(review, [{ op: "replace", path: "/spec/address", value: "changed" }]));
    await admin.request({
      method: "POST",
      path,
      body: {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "MutatingWebhookConfiguration",
        metadata: { name: "routes" },
        webhooks: [
          {
            name: "routes.example.com",
            clientConfig: { url: `https://${hooks.host}/mutate`, caBundle: hooks.caBundle },
            rules: [{ operations: ["CREATE"], apiGroups: ["example.com"], apiVersions: ["v2"], resources: ["routes"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          },
        ],
      },
    });
    const body = { apiVersion: "example.com/v1", kind: "Route", metadata: { name: "d" }, spec: { host: "first" } };
    expect(await admin.request({ method: "POST", path: routes("v1"), body })).toMatchObject({
      apiVersion: "example.com/v1",
      spec: { host: "changed" },
    });
    await admin.request({ method: "DELETE", path: `${path}/routes` });
  });

  const failures: { name: string; answer: typeof answer; message: string }[] = [
    {
      name: "that reports a failure",
      answer: (review) => ({
        ...convert(review),
        response: { uid: review.request.uid, result: { status: "Failed", message: "cannot" } },
      }),
      message: "conversion webhook for example.com/v1, Kind=Route failed: cannot",
    },
    {
      name: "that makes fewer objects",
      answer: (review) => ({
        ...convert(review),
        response: { uid: review.request.uid, result: { status: "Success" }, convertedObjects: [] },
      }),
      message: "conversion webhook for example.com/v1, Kind=Route returned 0 objects, expected 1",
    },
    {
      name: "that answers in a version that does not exist",
      answer: (review) => ({ ...convert(review), apiVersion: "apiextensions.k8s.io/v9" }),
      message:
        'conversion webhook for example.com/v1, Kind=Route failed: no kind "ConversionReview" is registered for version "apiextensions.k8s.io/v9" in scheme "pkg/runtime/scheme.go:111"',
    },
    {
      name: "that answers with another kind",
      answer: (review) => ({ ...convert(review), kind: "AdmissionReview" }),
      message:
        'conversion webhook for example.com/v1, Kind=Route failed: no kind "AdmissionReview" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
    },
    {
      name: "that answers nothing",
      answer: () => "",
      message:
        "conversion webhook for example.com/v1, Kind=Route failed: 0-length response with status code: 200 and content type: application/json",
    },
  ];
  for (const { name, answer: given, message } of failures)
    it(`${name} fails the request in upstream's words`, async () => {
      answer = given;
      await expect(admin.request({ method: "GET", path: `${routes("v2")}/a` })).rejects.toMatchObject({
        status: { code: 500, message },
      });
      answer = convert;
    });
});
