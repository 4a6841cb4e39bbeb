import type { Pod } from "@coxswain/api/core/v1";
import { type ApiServer, createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { waitUntil } from "@coxswain/client/informers";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runController } from "./simple-controller.js";

let server: ApiServer;
let client: Client;
const user = { name: "me", groups: ["system:masters"] };

beforeEach(async () => {
  server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    // Without a controller manager nobody makes the default service account.
    admission: { disabled: ["ServiceAccount"] },
  });
  client = createClient({ transport: createInProcessTransport(server, { user }) });
});
afterEach(() => server.stop());

it("pods that are there and pods that come are both labelled", async () => {
  const pods = client.core.v1.pods("default");
  const pod = (name: string): Pod => ({ metadata: { name }, spec: { containers: [{ name: "web", image: "nginx" }] } });
  await pods.create(pod("early"));
  const stop = new AbortController();
  const running = runController(client, stop.signal);
  await pods.create(pod("late"));
  for (const name of ["early", "late"])
    await waitUntil<Pod>({
      listerWatcher: pods,
      condition: ({ object }) => object.metadata?.name === name && object.metadata.labels?.["seen"] === "true",
      timeoutMs: 15_000,
    });
  stop.abort();
  await running;
  expect((await pods.list()).items).toHaveLength(2);
});
