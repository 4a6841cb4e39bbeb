import { type ApiServer, createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { createLatch } from "@coxswain/client/informers";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runWorker } from "./leader-elected-worker.js";

let server: ApiServer;
let client: Client;
const user = { name: "me", groups: ["system:masters"] };

beforeEach(async () => {
  server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
  client = createClient({ transport: createInProcessTransport(server, { user }) });
});
afterEach(() => server.stop());

it("the second works once the first has stopped", async () => {
  let working = 0;
  let most = 0;
  const start = (identity: string) => {
    const began = createLatch();
    const ending = new AbortController();
    const running = runWorker(client, {
      identity,
      signal: ending.signal,
      async work(signal) {
        most = Math.max(most, ++working);
        began.open();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        working--;
      },
    });
    const stop = async (): Promise<void> => {
      ending.abort();
      await running;
    };
    return { began, stop };
  };
  const first = start("first");
  await first.began.wait();
  const second = start("second");
  await first.stop();
  await second.began.wait();
  await second.stop();
  expect(most).toBe(1);
});
