import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { type AuditBackend, forgiving } from "./audit-backend.js";
import { type AuditEvent, RawJson } from "./audit-event.js";
import { batching } from "./batching-backend.js";
import { legacyLine } from "./legacy-line.js";
import { createLogBackend } from "./log-backend.js";
import { openRotatingFile } from "./rotating-file.js";
import { truncating } from "./truncating-backend.js";

const event = (auditID: string, more: Partial<AuditEvent> = {}): AuditEvent => ({
  kind: "Event",
  apiVersion: "audit.k8s.io/v1",
  level: "Request",
  auditID,
  stage: "ResponseComplete",
  requestURI: "/api/v1/namespaces/a/pods?watch=1",
  verb: "watch",
  user: { username: "ann", groups: ["devs", "ops"] },
  requestReceivedTimestamp: "2026-01-02T03:04:05.120000Z",
  stageTimestamp: "2026-01-02T03:04:06.000000Z",
  ...more,
});

/** Remembers what it is given. */
function memory(keeps: () => boolean | Promise<boolean> = () => true): AuditBackend & { batches: string[][] } {
  const batches: string[][] = [];
  return {
    batches,
    process(events) {
      batches.push(events.map(({ auditID }) => auditID));
      return keeps();
    },
    stop: () => Promise.resolve(),
  };
}

function losses(): {
  lost: string[];
  onLost: (plugin: string, problem: unknown, events: readonly AuditEvent[]) => void;
} {
  const lost: string[] = [];
  return {
    lost,
    onLost: (plugin, problem, events) =>
      lost.push(`${plugin}: ${(problem as Error).message}: ${events.map(({ auditID }) => auditID).join(" ")}`),
  };
}

describe("batches", () => {
  const options = { bufferSize: 4, maxBatchSize: 2, maxWaitMs: 30_000 };

  it("go out when they are full", async () => {
    const backend = memory();
    const batched = batching(backend, options, createVirtualClock(), losses().onLost);
    for (const id of ["a", "b", "c"]) batched.process([event(id)]);
    await Promise.resolve();
    expect(backend.batches).toEqual([["a", "b"]]);
    await batched.stop();
    expect(backend.batches).toEqual([["a", "b"], ["c"]]);
  });

  it("go out when their first event has waited long enough", async () => {
    const clock = createVirtualClock();
    const backend = memory();
    batching(backend, options, clock, losses().onLost).process([event("a")]);
    expect(backend.batches).toEqual([]);
    await clock.advance(30_000);
    expect(backend.batches).toEqual([["a"]]);
  });

  it("wait for a throttled backend, and lose what does not fit", async () => {
    const clock = createVirtualClock();
    const backend = memory();
    const { lost, onLost } = losses();
    const batched = batching(backend, { ...options, throttle: { perSecond: 1, burst: 1 } }, clock, onLost);
    for (const id of ["a", "b", "c", "d", "e", "f", "g", "h"]) {
      batched.process([event(id)]);
      await Promise.resolve();
    }
    expect(backend.batches).toEqual([["a", "b"]]);
    expect(lost).toEqual(["buffered: audit buffer queue blocked: g", "buffered: audit buffer queue blocked: h"]);
    await clock.advance(1000);
    expect(backend.batches).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  it("take nothing after the end", async () => {
    const { lost, onLost } = losses();
    const batched = batching(memory(), options, createVirtualClock(), onLost);
    await batched.stop();
    batched.process([event("a")]);
    expect(lost).toEqual(["buffered: audit backend shut down: a"]);
  });
});

describe("truncation", () => {
  const large = { requestObject: new RawJson(JSON.stringify("x".repeat(2000))) };

  it("takes the objects from an event that is too large", () => {
    const kept: AuditEvent[] = [];
    const cut = truncating(
      { process: (events) => kept.push(...events) > 0, stop: () => Promise.resolve() },
      { maxEventBytes: 1000, maxBatchBytes: 5000 },
      losses().onLost,
    );
    expect(cut.process([event("a", large)])).toBe(true);
    expect(kept).toEqual([event("a", { annotations: { "audit.k8s.io/truncated": "true" } })]);
  });

  it("loses an event that is still too large", () => {
    const { lost, onLost } = losses();
    const backend = memory();
    truncating(backend, { maxEventBytes: 100, maxBatchBytes: 100 }, onLost).process([event("a", large)]);
    expect(lost).toEqual(["truncate: event is too large even after truncating: a"]);
    expect(backend.batches).toEqual([]);
  });

  it("splits a batch that is too large", async () => {
    const backend = memory();
    await truncating(backend, { maxEventBytes: 700, maxBatchBytes: 700 }, losses().onLost).process([
      event("a"),
      event("b"),
      event("c"),
    ]);
    expect(backend.batches).toEqual([["a", "b"], ["c"]]);
  });
});

describe("the log", () => {
  it("that fails is reported, and stands in nobody's way where it is forgiven", () => {
    const { lost, onLost } = losses();
    const broken = createLogBackend(
      {
        write: () => {
          throw new Error("disk full");
        },
        close: () => {},
      },
      "json",
      onLost,
    );
    expect(broken.process([event("a")])).toBe(false);
    expect(forgiving(broken).process([event("b")])).toBe(true);
    expect(lost).toEqual(["log: disk full: a", "log: disk full: b"]);
  });

  it("in its older form is one line of text", () =>
    expect(
      legacyLine(
        event("1", {
          sourceIPs: ["10.0.0.1"],
          responseStatus: { metadata: {}, code: 200 },
          userAgent: "kubectl",
          objectRef: { namespace: "a" },
        }),
      ),
    ).toBe(
      '2026-01-02T03:04:05.12Z AUDIT: id="1" stage="ResponseComplete" ip="10.0.0.1" method="watch" user="ann" groups="\\"devs\\",\\"ops\\"" as="<self>" asgroups="<lookup>" user-agent="kubectl" namespace="a" uri="/api/v1/namespaces/a/pods?watch=1" response="200"',
    ));

  it("is set aside before it grows too large, and no more than so many are kept", async () => {
    const folder = mkdtempSync(join(tmpdir(), "audit-"));
    const clock = createVirtualClock({ startMs: Date.parse("2026-01-02T03:04:05.000Z") });
    const out = openRotatingFile(
      join(folder, "audit.log"),
      { maxBytes: 10, maxAgeDays: 0, maxBackups: 2, compress: false },
      clock,
      (problem) => {
        throw problem;
      },
    );
    for (const text of ["one\n", "two\n", "three\n", "four\n", "fives\n", "sixes\n", "seven\n"]) {
      out.write(text);
      await clock.advance(1000);
    }
    out.close();
    expect(readdirSync(folder).sort()).toEqual([
      "audit-2026-01-02T03-04-10.000.log",
      "audit-2026-01-02T03-04-11.000.log",
      "audit.log",
    ]);
    expect(readFileSync(join(folder, "audit.log"), "utf8")).toBe("seven\n");
  });

  it("that cannot be set aside is written to again as soon as it can", () => {
    const folder = mkdtempSync(join(tmpdir(), "audit-"));
    const clock = createVirtualClock({ startMs: Date.parse("2026-01-02T03:04:05.000Z") });
    const out = openRotatingFile(
      join(folder, "audit.log"),
      { maxBytes: 10, maxAgeDays: 0, maxBackups: 0, compress: false },
      clock,
      (problem) => {
        throw problem;
      },
    );
    const aside = join(folder, "audit-2026-01-02T03-04-05.000.log");
    writeFileSync(aside, "another's\n");
    out.write("one\n");
    expect(() => out.write("twelve\n")).toThrow("already");
    expect(readFileSync(aside, "utf8")).toBe("another's\n");
    rmSync(aside);
    out.write("three\n");
    out.write("four\n");
    out.close();
    expect([readFileSync(aside, "utf8"), readFileSync(join(folder, "audit.log"), "utf8")]).toEqual([
      "one\nthree\n",
      "four\n",
    ]);
  });
});
