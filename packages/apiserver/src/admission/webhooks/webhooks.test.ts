import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";
import {
  type HookAnswer,
  type HookServer,
  patched,
  type Review,
  reviewed,
  startHookServer,
} from "../../webhook/hook-server.test.support.js";

const maps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  ...more,
});
const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };

let hooks: HookServer;
let server: ApiServer;
let admin: InProcessClient;
beforeAll(async () => {
  hooks = await startHookServer(["127.0.0.1", "hook.default.svc"]);
  server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    admission: { disabled: ["ServiceAccount"] },
    history: { bytes: 8 << 20 },
    serviceRouting: { resolver: { resolve: () => ({ hostname: "127.0.0.1", port: hooks.port }) } },
  });
  admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"], uid: "7" } });
});
afterAll(async () => {
  await server.stop();
  await hooks.stop();
});

const installed: string[] = [];
afterEach(async () => {
  for (const path of installed.splice(0)) await admin.request({ method: "DELETE", path });
});

type Kind = "Mutating" | "Validating";
let made = 0;

/** Installs one webhook per answer, in order. */
async function install(kind: Kind, ...webhooks: readonly { answer?: HookAnswer; spec?: object }[]): Promise<string> {
  const name = `hooks-${made++}`;
  const path = `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`;
  await admin.request({
    method: "POST",
    path,
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${kind}WebhookConfiguration`,
      metadata: { name },
      webhooks: webhooks.map(({ answer, spec }, at) => {
        if (answer) hooks.on(`/${name}-${at}`, answer);
        return {
          name: `w${at}.example.com`,
          clientConfig: { url: `https://${hooks.host}/${name}-${at}`, caBundle: hooks.caBundle },
          rules: [rule],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          ...spec,
        };
      }),
    },
  });
  installed.push(`${path}/${name}`);
  return name;
}
const create = (name: string, more: object = {}, query = ""): Promise<unknown> =>
  admin.request({ method: "POST", path: `${maps}${query}`, body: configMap(name, more) });
/** The Status of a refusal. */
const refusal = async (name: string, query = ""): Promise<Record<string, unknown>> => {
  try {
    await create(name, {}, query);
  } catch (err) {
    return (err as { status: Record<string, unknown> }).status;
  }
  throw new Error("it was not refused");
};
const allow: HookAnswer = (review) => reviewed(review, { allowed: true });

describe("a validating webhook", () => {
  it("is asked with an AdmissionReview of the request", async () => {
    const asked: { review: Review; url: string | undefined; agent: string | undefined }[] = [];
    await install("Validating", {
      answer(review, request) {
        asked.push({ review, url: request.url, agent: request.headers["user-agent"] });
        return allow(review, request, undefined as never);
      },
      spec: { timeoutSeconds: 3 },
    });
    await create("asked", { data: { a: "1" } });
    const [{ review, url, agent } = {}] = asked;
    expect(url).toMatch(/^\/hooks-\d+-0\?timeout=3s$/);
    expect(agent).toBe("kube-apiserver-admission");
    expect(review).toMatchObject({
      kind: "AdmissionReview",
      apiVersion: "admission.k8s.io/v1",
      request: {
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        kind: { group: "", version: "v1", kind: "ConfigMap" },
        resource: { group: "", version: "v1", resource: "configmaps" },
        requestKind: { group: "", version: "v1", kind: "ConfigMap" },
        requestResource: { group: "", version: "v1", resource: "configmaps" },
        name: "asked",
        namespace: "default",
        operation: "CREATE",
        userInfo: { username: "admin", uid: "7", groups: ["system:masters", "system:authenticated"] },
        object: { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "asked" }, data: { a: "1" } },
        oldObject: null,
        dryRun: false,
        options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
      },
    });
    expect(Object.keys(review?.request ?? {}).join()).toBe(
      "uid,kind,resource,requestKind,requestResource,name,namespace,operation,userInfo,object,oldObject,dryRun,options",
    );
  });

  const answers: { name: string; answer: HookAnswer; spec?: object; query?: string; status: object }[] = [
    {
      name: "a refusal with a message",
      answer: (review) =>
        reviewed(review, { allowed: false, status: { code: 403, reason: "Nope", message: "not so" } }),
      status: { code: 403, reason: "Nope", message: 'admission webhook "w0.example.com" denied the request: not so' },
    },
    {
      name: "a refusal with a reason only",
      answer: (review) => reviewed(review, { allowed: false, status: { reason: "TooBig" } }),
      status: { code: 400, message: 'admission webhook "w0.example.com" denied the request: TooBig' },
    },
    {
      name: "a refusal without explanation, and with a code that means success",
      answer: (review) => reviewed(review, { allowed: false, status: { code: 200 } }),
      status: { code: 400, message: 'admission webhook "w0.example.com" denied the request without explanation' },
    },
    {
      name: "no response",
      answer: ({ apiVersion }) => ({ apiVersion, kind: "AdmissionReview" }),
      status: invalidResponse("webhook response was absent"),
    },
    {
      name: "another uid",
      answer: ({ apiVersion }) => ({ apiVersion, kind: "AdmissionReview", response: { uid: "x", allowed: true } }),
      status: { code: 500, message: expect.stringMatching(/expected response\.uid="[0-9a-f-]+", got "x"$/) as string },
    },
    {
      name: "no kind",
      answer: ({ request: { uid } }) => ({ response: { uid, allowed: true } }),
      status: invalidResponse("expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind="),
    },
    {
      name: "a patch",
      answer: (review) => patched(review, []),
      status: invalidResponse("validating webhook may not return response.patch"),
    },
    {
      name: "another kind",
      answer: () => ({ apiVersion: "v1", kind: "Pod" }),
      status: failedCall('no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"'),
    },
    {
      name: "a member of another type",
      answer: (review) => reviewed(review, { allowed: "yes" }),
      status: failedCall(
        "json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool",
      ),
    },
    {
      name: "a code of 500",
      answer: (_review, _request, response) => void response.writeHead(500, { "content-type": "text/plain" }).end("ow"),
      status: failedCall('an error on the server ("ow") has prevented the request from succeeding'),
    },
    {
      name: "a redirect, which is not followed",
      answer: (_review, _request, response) => void response.writeHead(307, { location: "https://127.0.0.1:1/" }).end(),
      status: { code: 500, message: expect.stringContaining('failed calling webhook "w0.example.com"') as string },
    },
    {
      name: "nothing within its time",
      answer: () => undefined,
      spec: { timeoutSeconds: 1 },
      status: { code: 500, message: expect.stringMatching(/\?timeout=1s": context deadline exceeded$/) as string },
    },
    {
      name: "for ever",
      answer(_review, _request, response) {
        const chunk = Buffer.alloc(1 << 20, " ");
        const more = (): void => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on("drain", more);
        more();
      },
      status: failedCall("the answer is too long"),
    },
    {
      name: "nothing, since a match condition cannot be evaluated,",
      answer: allow,
      spec: { matchConditions: [{ name: "none", expression: "object.nothing == 1" }] },
      status: {
        code: 403,
        message:
          "configmaps \"refused\" is forbidden: expression 'object.nothing == 1' resulted in error: no such key: nothing",
      },
    },
  ];
  function invalidResponse(why: string): object {
    return {
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: failed calling webhook "w0.example.com": received invalid webhook response: ${why}`,
    };
  }
  function failedCall(why: string): object {
    return {
      code: 500,
      message: `Internal error occurred: failed calling webhook "w0.example.com": failed to call webhook: ${why}`,
    };
  }
  for (const { name, answer, spec, query, status } of answers)
    it(`that answers ${name} refuses the request in upstream's words`, async () => {
      await install("Validating", { answer, ...(spec && { spec }) });
      expect(await refusal("refused", query)).toMatchObject(status);
    });

  it("that cannot be reached is ignored where its failure policy is Ignore", async () => {
    const clientConfig = { url: "https://127.0.0.1:1/gone", caBundle: hooks.caBundle };
    await install("Validating", { spec: { clientConfig, failurePolicy: "Ignore" } });
    expect(await create("open")).toMatchObject({ metadata: { name: "open" } });
  });

  it("that cannot be reached fails the request by default", async () => {
    await install("Validating", { spec: { clientConfig: { url: "https://127.0.0.1:1/gone" } } });
    expect(await refusal("closed")).toMatchObject({
      code: 500,
      message:
        'Internal error occurred: failed calling webhook "w0.example.com": failed to call webhook: Post "https://127.0.0.1:1/gone?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
    });
  });

  it("whose certificate no known authority has signed is not trusted", async () => {
    await install("Validating", { answer: allow, spec: { clientConfig: { url: `https://${hooks.host}/any` } } });
    expect(await refusal("closed")).toMatchObject({
      message: expect.stringMatching(
        /tls: failed to verify certificate: x509: certificate signed by unknown authority$/,
      ) as string,
    });
  });

  it("learns that a request is a dry run", async () => {
    const seen: unknown[] = [];
    await install("Validating", {
      answer(review) {
        seen.push(review.request["dryRun"]);
        return reviewed(review, { allowed: true });
      },
    });
    await create("dry", {}, "?dryRun=All");
    expect(seen).toEqual([true]);
  });

  it("behind a service is reached at the address of the resolver, under the service's name", async () => {
    hooks.on("/by-service", (review) => reviewed(review, { allowed: false }));
    const service = { name: "hook", namespace: "default", path: "/by-service" };
    await install("Validating", { spec: { clientConfig: { service, caBundle: hooks.caBundle } } });
    expect(await refusal("refused")).toMatchObject({ code: 400 });
  });

  it("behind a service must have a certificate of the service's name", async () => {
    const service = { name: "other", namespace: "default", path: "/by-service", port: 8443 };
    await install("Validating", { spec: { clientConfig: { service, caBundle: hooks.caBundle } } });
    expect(await refusal("refused")).toMatchObject({
      message:
        'Internal error occurred: failed calling webhook "w0.example.com": failed to call webhook: Post "https://other.default.svc:8443/by-service?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for hook.default.svc, not other.default.svc',
    });
  });

  it("shares its connection with the next request", async () => {
    await install("Validating", { answer: allow });
    await create("shared-1");
    const before = hooks.connections();
    for (const name of ["shared-2", "shared-3"]) await create(name);
    expect(hooks.connections()).toBe(before);
  });

  it("never sees what configures webhooks", async () => {
    const every = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] };
    const objectSelector = { matchLabels: { never: "there" } };
    await install("Validating", {
      answer: (review) => reviewed(review, { allowed: false }),
      spec: { rules: [{ ...every, apiGroups: ["admissionregistration.k8s.io"] }] },
    });
    await install("Validating", { answer: allow, spec: { objectSelector } });
    expect(installed).toHaveLength(2);
  });

  const matching: { name: string; spec: object; isAsked: boolean }[] = [
    {
      name: "whose rules name another resource",
      spec: { rules: [{ ...rule, resources: ["secrets"] }] },
      isAsked: false,
    },
    {
      name: "whose rules name another operation",
      spec: { rules: [{ ...rule, operations: ["UPDATE"] }] },
      isAsked: false,
    },
    { name: "for cluster-wide resources", spec: { rules: [{ ...rule, scope: "Cluster" }] }, isAsked: false },
    {
      name: "for everything in namespaces",
      spec: { rules: [{ ...rule, resources: ["*"], scope: "Namespaced" }] },
      isAsked: true,
    },
    {
      name: "whose namespace selector does not match",
      spec: { namespaceSelector: { matchLabels: { a: "b" } } },
      isAsked: false,
    },
    {
      name: "whose namespace selector matches",
      spec: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } } },
      isAsked: true,
    },
    {
      name: "whose object selector does not match",
      spec: { objectSelector: { matchLabels: { a: "b" } } },
      isAsked: false,
    },
    {
      name: "with a condition that does not hold",
      spec: { matchConditions: [{ name: "c", expression: "object.metadata.name == 'b'" }] },
      isAsked: false,
    },
    {
      name: "with a condition that holds",
      spec: {
        matchConditions: [{ name: "c", expression: "request.userInfo.username == 'admin' && oldObject == null" }],
      },
      isAsked: true,
    },
    {
      name: "with a condition that fails, beside one that does not hold",
      spec: {
        matchConditions: [
          { name: "c", expression: "object.spec.x == 1" },
          { name: "d", expression: "object.metadata.name == 'b'" },
        ],
      },
      isAsked: false,
    },
    {
      name: "with a condition that fails, ignored",
      spec: { matchConditions: [{ name: "c", expression: "object.spec.x == 1" }], failurePolicy: "Ignore" },
      isAsked: false,
    },
  ];
  for (const { name, spec, isAsked } of matching)
    it(`${name} is ${isAsked ? "" : "not "}asked`, async () => {
      let asked = 0;
      await install("Validating", {
        answer(review) {
          asked += 1;
          return reviewed(review, { allowed: true });
        },
        spec,
      });
      await create(`m${made}`);
      expect(asked).toBe(isAsked ? 1 : 0);
    });
});

describe("a mutating webhook", () => {
  it("changes the object, and the next one sees it", async () => {
    const seen: unknown[] = [];
    await install(
      "Mutating",
      { answer: (review) => patched(review, [{ op: "add", path: "/data", value: { one: "1" } }]) },
      {
        answer(review) {
          seen.push((review.request["object"] as { data: unknown }).data);
          return patched(review, [{ op: "add", path: "/data/two", value: "2" }]);
        },
      },
    );
    expect(await create("changed")).toMatchObject({ data: { one: "1", two: "2" } });
    expect(seen).toEqual([{ one: "1" }]);
  });

  it("gets its defaults set in what it adds", async () => {
    const pods = { ...rule, resources: ["pods"] };
    const container = { name: "added", image: "app" };
    await install("Mutating", {
      answer: (review) => patched(review, [{ op: "add", path: "/spec/containers/-", value: container }]),
      spec: { rules: [pods] },
    });
    const body = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "a" }] },
    };
    expect(await admin.request({ method: "POST", path: "/api/v1/namespaces/default/pods", body })).toMatchObject({
      spec: { containers: [{}, { name: "added", terminationMessagePolicy: "File" }] },
    });
  });

  it("is asked again when a later one changed the object, if it wants to", async () => {
    const rounds: string[] = [];
    const note =
      (name: string, operations: readonly object[]): HookAnswer =>
      (review) => {
        rounds.push(name);
        return patched(review, operations);
      };
    const again = { reinvocationPolicy: "IfNeeded" };
    await install(
      "Mutating",
      { answer: note("a", []), spec: again },
      { answer: note("b", []) },
      { answer: note("c", [{ op: "add", path: "/data", value: { c: "1" } }]), spec: again },
    );
    await create("again");
    expect(rounds).toEqual(["a", "b", "c", "a"]);
  });

  const failures: { name: string; operations: readonly object[]; message: string }[] = [
    {
      name: "does not apply",
      operations: [{ op: "remove", path: "/data/none" }],
      message: "Internal error occurred: ",
    },
    {
      name: "makes a member of another type",
      operations: [{ op: "add", path: "/data", value: "text" }],
      message:
        "Internal error occurred: json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string",
    },
  ];
  for (const { name, operations, message } of failures)
    it(`whose patch ${name} fails the request`, async () => {
      await install("Mutating", { answer: (review) => patched(review, operations) });
      expect(await refusal("bad")).toMatchObject({ code: 500, message: expect.stringContaining(message) as string });
    });

  it("sees another version of the object where its rules name that one", async () => {
    const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    const seen: unknown[] = [];
    await install("Mutating", {
      answer(review) {
        seen.push(review.request["kind"], review.request["requestKind"]);
        return patched(review, [{ op: "replace", path: "/spec/targetCPUUtilizationPercentage", value: 70 }]);
      },
      spec: {
        rules: [
          {
            operations: ["CREATE"],
            apiGroups: ["autoscaling"],
            apiVersions: ["v1"],
            resources: ["horizontalpodautoscalers"],
          },
        ],
      },
    });
    const body = {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        maxReplicas: 3,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
        ],
      },
    };
    expect(await admin.request({ method: "POST", path, body })).toMatchObject({
      apiVersion: "autoscaling/v2",
      spec: { metrics: [{ resource: { target: { averageUtilization: 70 } } }] },
    });
    expect(seen).toEqual([
      { group: "autoscaling", version: "v1", kind: "HorizontalPodAutoscaler" },
      { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" },
    ]);
  });

  it("cannot change what is deleted", async () => {
    await create("gone");
    await install("Mutating", {
      answer: (review) => patched(review, [{ op: "add", path: "/data", value: {} }]),
      spec: { rules: [{ ...rule, operations: ["DELETE"] }] },
    });
    await expect(admin.request({ method: "DELETE", path: `${maps}/gone` })).rejects.toThrow(
      'admission webhook "w0.example.com" attempted to modify the object, which is not supported for this operation',
    );
  });

  it("is named where its request is asked why it was slow", async () => {
    await install("Mutating", { answer: allow });
    const headers = { "audit-id": "slow-1" };
    await admin.request({ method: "POST", path: maps, body: configMap("slow"), headers });
    const group = "history.coxswain.dev/v1alpha1";
    const body = { apiVersion: group, kind: "Explanation", spec: { auditID: "slow-1" } };
    expect(await admin.request({ method: "POST", path: `/apis/${group}/explanations`, body })).toMatchObject({
      status: {
        chain: [{ text: expect.stringMatching(/ mutating webhooks \(w0\.example\.com [\d.]+m?s\)/) as string }],
      },
    });
  });
});
