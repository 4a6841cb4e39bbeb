import { readFileSync } from "node:fs";
import { createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { createClient } from "@coxswain/client";
import { hasCondition, waitFor } from "@coxswain/client/wait";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { labelPodsByNode } from "./pod-controller.js";

it("labels pods that are there and pods that come later", async () => {
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    admission: { disabled: ["ServiceAccount"] },
  });
  const user = { name: "admin", groups: ["system:masters"] };
  const client = createClient({ transport: createInProcessTransport(server, { user }) });
  const pods = client.core.v1.pods("default");
  const create = (name: string) =>
    pods.create({ metadata: { name }, spec: { nodeName: "n1", containers: [{ name: "a", image: "a" }] } });
  const labelled = (name: string) =>
    waitFor(pods, name, (pod) => pod?.metadata?.labels?.["example.com/node"] === "n1", { timeoutMs: 10_000 });
  const stop = new AbortController();

  await create("before");
  const running = labelPodsByNode(client, stop.signal);
  await labelled("before");
  await create("after");
  await labelled("after");

  stop.abort();
  await running;
  expect(hasCondition("Ready")(await pods.get("after"))).toBe(false);
  await client.close();
  await server.stop();
});

it("is the program that the client's README shows, in at most forty lines", () => {
  const program = readFileSync(new URL("pod-controller.ts", import.meta.url), "utf8");
  expect(program.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  const readme = readFileSync(new URL("../../packages/client/README.md", import.meta.url), "utf8");
  expect(readme).toContain(program.trimEnd());
});
