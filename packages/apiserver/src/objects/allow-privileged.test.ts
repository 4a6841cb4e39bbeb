import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../server/compose/api-server.js";
import type { ApiOptions } from "../server/compose/api-server-options.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";

const template = {
  metadata: { labels: { a: "b" } },
  spec: { containers: [{ name: "c", image: "i", securityContext: { privileged: true } }] },
};
const body = { apiVersion: "v1", kind: "PodTemplate", metadata: { name: "t" }, template };

async function createPrivileged(api: ApiOptions): Promise<unknown> {
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    api,
  });
  try {
    return await createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } }).request({
      method: "POST",
      path: "/api/v1/namespaces/default/podtemplates",
      body,
    });
  } finally {
    await server.stop();
  }
}

describe("privileged containers", () => {
  it("are allowed by default", async () =>
    expect(await createPrivileged({})).toMatchObject({ metadata: { name: "t" } }));
  it("are refused where they are not allowed", async () =>
    await expect(createPrivileged({ allowPrivileged: false })).rejects.toThrow(
      'PodTemplate "t" is invalid: template.spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
    ));
});
