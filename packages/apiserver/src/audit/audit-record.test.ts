import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { attributesOf } from "../authorization/request-attributes.js";
import { jsonForm } from "../endpoints/respond/json-form.js";
import { respond } from "../endpoints/respond/respond.js";
import type { ResponseSink } from "../request/response-sink.js";
import { openContext } from "../server/requests/open-context.js";
import type { AuditEvent } from "./audit-event.js";
import { AuditRecord, type Course } from "./audit-record.js";
import { AuditedSink } from "./audited-sink.js";

function open(course: Course, process: (event: AuditEvent) => boolean | Promise<boolean> = () => true) {
  const written: string[] = [];
  const context = openContext(
    {
      method: "GET",
      path: "/api/v1/namespaces/a/pods/p/exec",
      query: "",
      header: () => undefined,
      headerNames: () => [],
      body: { as: "value", value: undefined },
      signal: new AbortController().signal,
      whenGone: () => () => {},
      caller: { via: "process", user: { name: "ann", groups: [] } },
    },
    systemRuntime(),
  );
  const backend = {
    process([event]: readonly AuditEvent[]) {
      if (!event) return true;
      written.push(`${event.stage} ${event.responseStatus?.code} ${event.responseStatus?.message ?? ""}`.trimEnd());
      return process(event);
    },
    stop: () => Promise.resolve(),
  };
  const ruling = { level: "Metadata", omitStages: new Set<never>(), omitManagedFields: false } as const;
  const record = new AuditRecord(
    { backend, now: () => 0, onEvent: () => {} },
    ruling,
    context,
    attributesOf(context),
    course,
  );
  context.audit = record;
  return { written, record, context };
}

/** Notes what is called. */
function sinkInto(calls: string[]): ResponseSink {
  const note = (name: string) => () => void calls.push(name);
  return {
    head: note("head"),
    only: note("only"),
    end: note("end"),
    abort: note("abort"),
    write: () => true,
    flushed: () => undefined,
    drained: () => Promise.resolve(),
    send: () => Promise.resolve(),
    headersSent: false,
    isEmpty: true,
    unreadBytes: 0,
    code: 0,
    bytes: 0,
  };
}

describe("what is recorded of a request", () => {
  it("whose connection is taken away from HTTP: that, and its end", async () => {
    const { written, record, context } = open("lasting");
    let duringRun: string[] = [];
    const run = () => {
      duringRun = [...written];
      return Promise.resolve();
    };
    await respond({ as: "upgraded", run }, jsonForm, context, sinkInto([]), systemClock);
    await record.end();
    expect(duringRun).toEqual(["ResponseStarted 101"]);
    expect(written).toEqual(["ResponseStarted 101", "ResponseComplete 101"]);
  });

  it("whose client is gone before it received anything", () => {
    const short = open("short");
    void short.record.end();
    expect(short.written).toEqual(["ResponseComplete 200 Connection closed early"]);
    const lasting = open("lasting");
    void lasting.record.end();
    expect(lasting.written).toEqual([
      "ResponseStarted 200 Connection closed early",
      "ResponseComplete 200 Connection closed early",
    ]);
  });

  it("over which the server broke: nothing after that", () => {
    const { written, record } = open("short");
    void record.broke("oh");
    record.begin(500);
    void record.end();
    expect(written).toEqual(["Panic 500 APIServer panic'd: oh"]);
  });

  it("before its answer ends, where the backend blocks", async () => {
    let keep: (kept: boolean) => void = () => {};
    const { record } = open("short", () => new Promise((resolve) => (keep = resolve)));
    const calls: string[] = [];
    const sink = new AuditedSink(sinkInto(calls), record);
    sink.head(200, {});
    sink.end();
    expect(sink.isEmpty).toBe(false); // the last bytes wait here
    expect(calls).toEqual(["head"]);
    keep(true);
    await record.end();
    expect(calls).toEqual(["head", "end"]);
  });
});
