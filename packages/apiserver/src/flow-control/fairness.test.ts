import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";

const flowSchemas = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
const levels = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
const admin = { name: "admin", groups: ["system:masters"] };

interface Kept {
  metadata: { name: string; uid: string; annotations: Record<string, string> };
  spec: { matchingPrecedence?: number; limited?: { nominalConcurrencyShares: number } };
  status: { conditions: { type: string; status: string; reason: string }[] };
}

describe("priority and fairness of a server", () => {
  let server: ApiServer;
  let ask: (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) => Promise<unknown>;
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    const transport = createInProcessClient(server, { user: admin });
    ask = (method, path, body) =>
      transport.request({ method, path, ...(body === undefined ? {} : { body }) }) as Promise<unknown>;
  });
  afterAll(() => server.stop());
  /** What the server does on its own is seen in the watch cache: polls in later iterations of the event loop. */
  async function eventually<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
    for (;;) {
      const value = await read();
      if (isWanted(value)) return value;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const get = (path: string): Promise<Kept> => ask("GET", path) as Promise<Kept>;
  const find = (path: string): Promise<Kept | undefined> => get(path).catch(() => undefined);

  it("a schema and a level of its own that were deleted come back", async () => {
    for (const path of [`${flowSchemas}/catch-all`, `${levels}/workload-low`]) {
      const before = await get(path);
      await ask("DELETE", path);
      const after = await eventually(
        () => find(path),
        (value) => value !== undefined,
      );
      expect(after?.spec).toEqual(before.spec);
      expect(after?.metadata.uid).not.toBe(before.metadata.uid);
    }
  });
  it("a change of its own objects is undone, unless the user keeps it", async () => {
    const before = await get(`${levels}/workload-low`);
    await ask("PUT", `${levels}/workload-low`, {
      ...before,
      spec: { ...before.spec, limited: { ...before.spec.limited, nominalConcurrencyShares: 7 } },
    });
    await eventually(
      () => get(`${levels}/workload-low`),
      ({ spec }) => spec.limited?.nominalConcurrencyShares === 100,
    );
    const kept = await get(`${levels}/workload-high`);
    await ask("PUT", `${levels}/workload-high`, {
      ...kept,
      metadata: { ...kept.metadata, annotations: { "apf.kubernetes.io/autoupdate-spec": "false" } },
      spec: { ...kept.spec, limited: { ...kept.spec.limited, nominalConcurrencyShares: 7 } },
    });
    await ask("DELETE", `${flowSchemas}/probes`); // when this is back, the other was looked at, too
    await eventually(
      () => find(`${flowSchemas}/probes`),
      (value) => value !== undefined,
    );
    expect((await get(`${levels}/workload-high`)).spec.limited?.nominalConcurrencyShares).toBe(7);
  });
  it("a schema's Dangling condition follows its level", async () => {
    const name = "mine";
    await ask("POST", flowSchemas, {
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      kind: "FlowSchema",
      metadata: { name },
      spec: {
        priorityLevelConfiguration: { name: "own" },
        rules: [
          {
            subjects: [{ kind: "User", user: { name: "u" } }],
            nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
          },
        ],
      },
    });
    const dangling = ({ status }: Kept): string | undefined =>
      status.conditions?.find(({ type }) => type === "Dangling")?.reason;
    await eventually(
      () => get(`${flowSchemas}/${name}`),
      (schema) => dangling(schema) === "NotFound",
    );
    await ask("POST", levels, {
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      kind: "PriorityLevelConfiguration",
      metadata: { name: "own" },
      spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } },
    });
    await eventually(
      () => get(`${flowSchemas}/${name}`),
      (schema) => dangling(schema) === "Found",
    );
  });
  it("pages show what is in the levels", async () => {
    const page = async (name: string): Promise<string[]> => {
      const path = `/debug/api_priority_and_fairness/${name}`;
      const { answer } = await server.answer({
        method: "GET",
        path,
        query: "includeRequestDetails=1",
        header: () => undefined,
        headerNames: () => [],
        body: { as: "value", value: undefined },
        caller: { via: "process", user: admin },
        signal: new AbortController().signal,
        whenGone: () => () => {},
      });
      return answer.as === "document" ? new TextDecoder().decode(answer.bytes).split("\n") : [answer.as];
    };
    expect((await page("dump_priority_levels")).map((line) => line.split(",")[0])).toEqual([
      "PriorityLevelName",
      "catch-all",
      "exempt",
      "global-default",
      "leader-election",
      "node-high",
      "own",
      "system",
      "workload-high",
      "workload-low",
      "",
    ]);
    expect((await page("dump_queues")).length).toBe(1 + 16 + 64 + 64 + 128 + 128 + 128 + 1);
    expect((await page("dump_requests"))[1]).toMatch(
      /^exempt, +exempt, +-1, +-1, +, +\S+Z, +1, +0, +0s, +\S+Z, +admin, +get, +\/debug\/api_priority_and_fairness\/dump_requests, /,
    );
  });
});
