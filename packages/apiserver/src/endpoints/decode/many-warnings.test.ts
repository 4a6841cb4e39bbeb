import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { startApiServer } from "../../server/compose/api-server.js";
import { createByteRequester } from "../../server/in-process/byte-requester.js";

it("a YAML body with hundreds of thousands of duplicate keys is created, with warnings", async () => {
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
  });
  const send = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
  const answer = await send({
    method: "POST",
    path: "/api/v1/namespaces/default/configmaps",
    headers: { "content-type": "application/yaml" },
    body: Buffer.from(`apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n${"  a: b\n".repeat(200_000)}`),
    signal: new AbortController().signal,
  });
  expect(answer.status).toBe(201);
  await server.stop();
});
