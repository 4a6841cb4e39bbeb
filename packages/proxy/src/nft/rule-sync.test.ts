import { testRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { planFrontends } from "../frontends/plan-frontends.js";
import { service, slice, testNode } from "../frontends/service.test.support.js";
import { RuleState } from "../rules/rule-state.js";
import { testTable } from "../rules/table.test.support.js";
import { RuleSync } from "./rule-sync.js";
import type { Nft } from "./run-nft.js";
import { serviceSource } from "./service-source.js";

/** A sync whose transactions are noted with the second of their start; `failing` many of them fail. */
function open() {
  const runtime = testRuntime(1);
  const state = new RuleState(testTable());
  const ran: string[] = [];
  const control = { failing: 0 };
  const nft: Nft = {
    async list() {
      return { chains: new Set(), sets: new Set(["affinity-0000000000000000-gone"]) };
    },
    async run(commands) {
      const [first = ""] = commands.split("\n");
      const what = first.startsWith("add table")
        ? "new table"
        : first.startsWith("flush table")
          ? "whole table"
          : "change";
      ran.push(`${runtime.clock.monotonic() / 1000}s ${what}`);
      if (control.failing-- > 0) throw new Error("no");
    },
  };
  const sync = new RuleSync(runtime, {
    source: serviceSource(state, nft),
    nft,
    minPeriodMs: 1_000,
    retryMs: 30_000,
    fullPeriodMs: 3_600_000,
    async prepare() {},
    onApplied() {},
    onFailed: () => void ran.push("failed"),
  });
  const put = (...endpoints: string[]): void =>
    void state.put("ns/svc", planFrontends(service(), [slice(endpoints)], testNode));
  return { runtime, state, sync, ran, control, put, advance: (ms: number) => runtime.clock.advance(ms) };
}

describe("writing rules to the kernel", () => {
  it("the first transaction is the whole table at once, later ones are changes, one per second", async () => {
    const { sync, ran, put, advance } = open();
    put("10.0.0.1");
    sync.request();
    await advance(0);
    put("10.0.0.2");
    sync.request();
    await advance(500);
    put("10.0.0.3");
    sync.request();
    await advance(5_000);
    expect(ran).toEqual(["0s whole table", "1s change"]);
    await sync.stop();
  });

  it("nothing is run when nothing has changed", async () => {
    const { sync, ran, put, advance } = open();
    put("10.0.0.1");
    sync.request();
    await advance(2_000);
    put("10.0.0.1");
    sync.request();
    await advance(2_000);
    expect(ran).toEqual(["0s whole table"]);
    await sync.stop();
  });

  it("a failure is retried after 30 seconds by the whole table, and by a new one if that fails, too", async () => {
    const { sync, ran, put, control, advance } = open();
    put("10.0.0.1");
    sync.request();
    await advance(2_000);
    control.failing = 2;
    put("10.0.0.2");
    sync.request();
    await advance(70_000);
    expect(ran).toEqual(["0s whole table", "2s change", "failed", "32s whole table", "failed", "62s new table"]);
    await sync.stop();
  });

  it("a change after a failure does not wait for the retry", async () => {
    const { sync, ran, put, control, advance } = open();
    control.failing = 1;
    sync.request();
    await advance(5_000);
    put("10.0.0.2");
    sync.request();
    await advance(1_000);
    expect(ran).toEqual(["0s whole table", "failed", "5s whole table"]);
    await sync.stop();
  });

  it("the whole table is written again after an hour", async () => {
    const { sync, ran, advance } = open();
    sync.request();
    await advance(3_600_000);
    expect(ran).toEqual(["0s whole table", "3600s whole table"]);
    await sync.stop();
  });

  it("a stopped sync runs nothing more", async () => {
    const { sync, ran, advance } = open();
    sync.request();
    await advance(0);
    await sync.stop();
    sync.request();
    await advance(10_000);
    expect(ran).toEqual(["0s whole table"]);
  });
});
