import { isConflict } from "@coxswain/apimachinery/status";
import { type ApiServer, createInProcessClient, type InProcessClient, startApiServer } from "@coxswain/apiserver";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
// A real API server inside a test: it starts in milliseconds, has no socket, and each test has one of its own.
import { afterEach, beforeEach, expect, it } from "vitest";

interface ConfigMap {
  metadata: { name: string; resourceVersion?: string };
  data: Record<string, string>;
}

const path = "/api/v1/namespaces/default/configmaps";
let server: ApiServer;
let client: InProcessClient;

beforeEach(async () => {
  server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
  client = createInProcessClient(server, { user: { name: "me", groups: ["system:masters"] } });
});
afterEach(() => server.stop());

it("the second of two writers that read the same state gets a conflict", async () => {
  await client.request({
    method: "POST",
    path,
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "colours" }, data: { sky: "blue" } },
  });
  const mine = (await client.request({ method: "GET", path: `${path}/colours` })) as ConfigMap;
  const theirs = structuredClone(mine);
  theirs.data["sky"] = "grey";
  await client.request({ method: "PUT", path: `${path}/colours`, body: theirs });
  mine.data["sky"] = "red";
  const lost = await client
    .request({ method: "PUT", path: `${path}/colours`, body: mine })
    .catch((err: unknown) => err);
  expect(isConflict(lost)).toBe(true);
});
