import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";

it("an object with hundreds of thousands of errors is refused with 422", async () => {
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    admission: { disabled: ["ServiceAccount"] },
  });
  const send = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
  const env = `[${"{},".repeat(200_000)}{}]`;
  const answer = await send({
    method: "POST",
    path: "/api/v1/namespaces/default/pods",
    headers: { "content-type": "application/json" },
    body: Buffer.from(`{"metadata":{"name":"x"},"spec":{"containers":[{"name":"a","image":"b","env":${env}}]}}`),
    signal: new AbortController().signal,
  });
  expect(answer.status).toBe(422);
  await server.stop();
});
