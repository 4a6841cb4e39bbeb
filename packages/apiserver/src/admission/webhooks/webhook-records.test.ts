import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createByteRequester } from "../../server/in-process/byte-requester.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";
import { type HookServer, patched, reviewed, startHookServer } from "../../webhook/hook-server.test.support.js";

/** What is left behind by requests that passed webhooks: audit annotations, warnings, metrics. */
describe("webhooks", () => {
  const lines: string[] = [];
  const user = { name: "admin", groups: ["system:masters"] };
  let hooks: HookServer;
  let server: ApiServer;
  let admin: InProcessClient;
  beforeAll(async () => {
    hooks = await startHookServer();
    hooks.on("/patch", (review) => patched(review, [{ op: "add", path: "/data", value: { a: "1" } }]));
    hooks.on("/note", (review) =>
      reviewed(review, { allowed: true, auditAnnotations: { noted: "yes", "not a key": "x" }, warnings: ["careful"] }),
    );
    hooks.on("/deny", (review) => reviewed(review, { allowed: false, status: { code: 999 } }));
    const batch = { bufferSize: 1, maxBatchSize: 1, maxBatchWaitMs: 0, throttle: undefined };
    server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      audit: {
        policy: { omitStages: ["RequestReceived"], omitManagedFields: false, rules: [{ level: "Request" }] } as never,
        log: {
          out: { write: (text) => void lines.push(text), close() {} },
          format: "json",
          delivery: { mode: "blocking", batch: batch as never },
        },
      },
    });
    admin = createInProcessClient(server, { user });
    const webhook = (path: string, more: object = {}) => ({
      name: `${path}.example.com`,
      clientConfig: { url: `https://${hooks.host}/${path}`, caBundle: hooks.caBundle },
      rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...more,
    });
    const denied = { objectSelector: { matchLabels: { denied: "yes" } } };
    await install("Mutating", [webhook("patch"), webhook("gone", { failurePolicy: "Ignore" })]);
    await install("Validating", [
      webhook("note"),
      webhook("deny", denied),
      webhook("lost", { failurePolicy: "Ignore" }),
    ]);
  });
  afterAll(async () => {
    await server.stop();
    await hooks.stop();
  });
  const install = (kind: string, webhooks: readonly object[]): Promise<unknown> =>
    admin.request({
      method: "POST",
      path: `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`,
      body: {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: `${kind}WebhookConfiguration`,
        metadata: { name: "hooks" },
        webhooks,
      },
    });
  const create = async (metadata: object) => {
    const { status, headers } = await createByteRequester(
      server,
      user,
    )({
      method: "POST",
      path: "/api/v1/namespaces/default/configmaps",
      headers: { "content-type": "application/json" },
      body: new TextEncoder().encode(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata })),
      signal: new AbortController().signal,
    });
    return { status, headers };
  };

  it("leave annotations in the audit log, and warnings with the client", async () => {
    lines.length = 0;
    const { status, headers } = await create({ name: "noted" });
    expect([status, headers["warning"]]).toEqual([201, '299 - "careful"']);
    const { annotations } = JSON.parse(lines.join("").split("\n")[0] ?? "") as { annotations: Record<string, string> };
    const ours = Object.entries(annotations).filter(([key]) => /^[^/]*(webhook\.admission|example\.com)/.test(key));
    expect(Object.fromEntries(ours)).toEqual({
      "failed-open.mutation.webhook.admission.k8s.io/round_0_index_1": "gone.example.com",
      "failed-open.validating.webhook.admission.k8s.io/round_0_index_1": "lost.example.com",
      "mutation.webhook.admission.k8s.io/round_0_index_0":
        '{"configuration":"hooks","webhook":"patch.example.com","mutated":true}',
      "mutation.webhook.admission.k8s.io/round_0_index_1":
        '{"configuration":"hooks","webhook":"gone.example.com","mutated":false}',
      "note.example.com/noted": "yes",
      "patch.webhook.admission.k8s.io/round_0_index_0":
        '{"configuration":"hooks","webhook":"patch.example.com","patch":[{"op":"add","path":"/data","value":{"a":"1"}}],"patchType":"JSONPatch"}',
    });
  });

  it("are counted under upstream's names, codes no further than 600", async () => {
    expect((await create({ name: "denied", labels: { denied: "yes" } })).status).toBe(999);
    const counted = server.metrics
      .text()
      .split("\n")
      .filter((line) => /^apiserver_admission_webhook_(request|rejection|fail)/.test(line) && line.includes("deny"));
    expect(counted).toEqual([
      'apiserver_admission_webhook_rejection_count{error_type="no_error",name="deny.example.com",operation="CREATE",rejection_code="600",type="validating"} 1',
      'apiserver_admission_webhook_request_total{code="600",name="deny.example.com",operation="CREATE",rejected="true",type="validating"} 1',
    ]);
    expect(server.metrics.text()).toContain(
      'apiserver_admission_webhook_fail_open_count{name="lost.example.com",type="validating"} 2',
    );
  });
});
