import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { describe, expect, it } from "vitest";
import type { RequestContext } from "../../request/request-context.js";
import { StallWatch } from "./stall-watch.js";

/** A clock whose time goes on while the event loop stands still. */
function createStallingClock() {
  const virtual = createVirtualClock();
  let stood = 0;
  return {
    clock: {
      ...virtual,
      monotonic: () => virtual.monotonic() + stood,
      now: () => virtual.now(),
      setTimer: virtual.setTimer.bind(virtual),
    },
    async stall(ms: number) {
      stood += ms;
      await virtual.advance(500);
    },
    advance: (ms: number) => virtual.advance(ms),
  };
}

const context = (path: string, verb = "get") =>
  ({
    request: { method: "GET", path },
    info: { verb },
    user: { name: "ada" },
    auditId: "id",
  }) as unknown as RequestContext;

/** @param isBusy whether the process computes all the time */
function start(isBusy = true) {
  const { clock, stall, advance } = createStallingClock();
  const metrics = createMetrics();
  const lines: { message: string; fields: Record<string, unknown> }[] = [];
  const log = { warn: (message: string, fields: Record<string, unknown> = {}) => void lines.push({ message, fields }) };
  const runtime = systemRuntime({ ioClock: clock, metrics, log: { ...silentLogger, ...log } });
  const watch = new StallWatch(runtime, () => (isBusy ? clock.monotonic() : 0));
  return { watch, stall, advance, lines, text: () => metrics.text() };
}

describe("an event loop that stands still", () => {
  it("is not reported while it runs", async () => {
    const { watch, advance, lines, text } = start();
    await advance(10_000);
    expect(lines).toEqual([]);
    expect(watch.problem()).toBeUndefined();
    expect(text()).not.toContain("nodejs_eventloop_stall_duration_seconds_count 1");
    watch.stop();
  });

  it("is counted, and logged with the request that had the thread", async () => {
    const { watch, stall, lines, text } = start();
    watch.ran(context("/fast"), 60);
    watch.ran(context(`/slow${"x".repeat(1000)}`), 1900);
    await stall(2000);
    expect(lines).toMatchObject([{ message: "the event loop stood still", fields: { ms: 2000 } }]);
    expect(String(lines[0]?.fields["request"])).toMatch(/^GET \/slowx{195} of ada \(audit-ID id\)$/);
    expect(text()).toContain("nodejs_eventloop_stall_duration_seconds_count 1");
    watch.stop();
  });

  it("is logged with the requests that were under way, where it is not known which one it was", async () => {
    const { watch, stall, lines } = start();
    watch.watch(() => [context("/a"), context("/watch", "watch"), context("/b"), context("/c"), context("/d")]);
    await stall(1500);
    const suspects = String(lines[0]?.fields["suspects"]);
    expect(suspects.match(/\/\w+/g)).toEqual(["/d", "/c", "/b"]);
    watch.stop();
  });

  it("is no warning where the process did not have the processor", async () => {
    const { watch, stall, lines } = start(false);
    watch.ran(context("/slow"), 4900);
    await stall(5000);
    expect(lines).toEqual([]);
    watch.stop();
  });

  it("is no warning where no request was under way, unless it lasts", async () => {
    const { watch, stall, lines } = start();
    await stall(5000);
    expect(lines).toEqual([]);
    await stall(31_000);
    expect(lines).toMatchObject([{ fields: { suspects: "no request was under way" } }]);
    watch.stop();
  });

  it("is counted but not logged when it is short", async () => {
    const { watch, stall, lines, text } = start();
    await stall(200);
    expect(lines).toEqual([]);
    expect(text()).toContain("nodejs_eventloop_stall_duration_seconds_count 1");
    watch.stop();
  });

  it("makes the server count as dead for a minute, if it was for half a minute at once", async () => {
    const { watch, stall, advance } = start();
    for (let times = 0; times < 10; times++) await stall(20_000);
    expect(watch.problem()).toBeUndefined();
    await stall(32_000);
    expect(watch.problem()).toBe("the event loop stood still for 32 s");
    await advance(61_000);
    expect(watch.problem()).toBeUndefined();
    watch.stop();
  });
});
