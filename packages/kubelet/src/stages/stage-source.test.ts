import { createClient } from "@coxswain/client";
import { testRuntime } from "@coxswain/runtime";
import { expect, it } from "vitest";
import { createStageSource } from "./stage-source.js";

it("a server that does not answer is asked for Stages again by the clock of the nodes", async () => {
  const runtime = testRuntime(1);
  let asked = 0;
  const refuse = async (): Promise<never> => {
    asked++;
    throw new Error("connection refused");
  };
  const client = createClient({ transport: { send: refuse, watch: refuse, close: async () => {} }, runtime });
  const source = createStageSource({ client, given: [], fromCluster: true, onChange: () => {}, runtime });
  const ending = new AbortController();
  const started = source.start(ending.signal).catch(() => {});
  await runtime.clock.advance(60_000);
  expect(asked).toBeGreaterThan(2);
  ending.abort();
  await source.stop();
  await started;
});
