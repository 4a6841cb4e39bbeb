import { type ApiServer, createInProcessClient, type Listener, startApiServer } from "@coxswain/apiserver";
import { systemRuntime } from "@coxswain/runtime";
import { type Clock, createVirtualClock } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { shutDown } from "./shut-down.js";

const deps = (clock: Clock) => ({ runtime: systemRuntime({ clock }), requestTimeoutMs: 60_000 });

describe("shutting down", () => {
  async function serving() {
    const server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
    });
    const admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const events: string[] = [];
    const listener = {
      stopAccepting: () => void events.push("accepts no more"),
      close: async () => void events.push("closed"),
    } as unknown as Listener;
    const get = (path: string) => admin.request({ method: "GET", path });
    const readiness = async (): Promise<string> => {
      const { answer } = await server.answer({ ...probe("/readyz") });
      return answer.as === "document" ? `${answer.code} ${new TextDecoder().decode(answer.bytes)}` : "";
    };
    return { server, listener, events, get, readiness };
  }
  /** A request of nobody in particular. */
  const probe = (path: string) =>
    ({
      method: "GET",
      path,
      query: "",
      header: () => undefined,
      headerNames: () => [],
      body: { as: "bytes", read: async () => new Uint8Array() },
      caller: { via: "process", user: { name: "admin", groups: ["system:masters"] } },
      signal: new AbortController().signal,
    }) as unknown as Parameters<Awaited<ReturnType<typeof startApiServer>>["answer"]>[0];

  it("goes on serving for the delay, and reports meanwhile that it is not ready", async () => {
    const { server, listener, events, get, readiness } = await serving();
    const clock = createVirtualClock();
    expect(await readiness()).toBe("200 ok");
    const down = shutDown(server, listener, { delayMs: 5_000, sendRetryAfter: false, watchGraceMs: 0 }, deps(clock));
    await clock.advance(4_999);
    expect(await readiness()).toContain("[-]shutdown failed: reason withheld\n");
    expect(await get("/api/v1/namespaces/default")).toMatchObject({ metadata: { name: "default" } });
    expect(events).toEqual([]);
    await clock.advance(1);
    await down;
    expect(events).toEqual(["accepts no more", "closed"]);
  });

  it("without a delay begins at once", async () => {
    const { server, listener, events } = await serving();
    await shutDown(server, listener, { delayMs: 0, sendRetryAfter: true, watchGraceMs: 0 }, deps(createVirtualClock()));
    expect(events).toEqual(["accepts no more", "closed"]);
  });

  it("refuses new requests before the port is closed, where that is configured", async () => {
    const { server, listener, get } = await serving();
    let refused: unknown;
    const asking = {
      ...listener,
      stopAccepting: () =>
        void (refused = get("/api/v1/namespaces/default").then(
          () => "answered",
          (error: { status?: { code?: number } }) => error.status?.code,
        )),
    };
    await shutDown(
      server,
      asking as Listener,
      { delayMs: 0, sendRetryAfter: true, watchGraceMs: 0 },
      deps(createVirtualClock()),
    );
    expect(await refused).toBe(429);
  });

  it("answers a request that waits for a revision before anything stops that it needs", async () => {
    const memory = createMemoryStore({ runtime: systemRuntime() });
    const server = await startApiServer({ runtime: systemRuntime(), store: memory });
    const ended: string[] = [];
    const sink = {
      code: 0,
      bytes: 0,
      headersSent: false,
      head: (code: number) => void ended.push(`head ${code}`),
      only: (code: number) => void ended.push(`only ${code}`),
      end: () => {},
      flushed: async () => {},
      abort: () => void ended.push("aborted"),
    } as unknown as Parameters<ApiServer["serve"]>[1];
    // As over etcd, where another server's write takes its time until it is here.
    const revision = Number(await memory.readRevision()) + 20;
    const get = { ...probe("/api/v1/namespaces/default"), query: `resourceVersion=${revision}` };
    const served = server.serve({ ...get, whenGone: () => () => {} }, sink);
    const listener = { stopAccepting: () => {}, close: async () => {} } as unknown as Listener;
    const options = { delayMs: 0, sendRetryAfter: false, watchGraceMs: 0 };
    const down = shutDown(server, listener, options, deps(createVirtualClock()));
    for (let count = 0; count < 200; count++) await macrotask();
    for (let count = 0; count < 20; count++)
      await memory.put({ key: `/registry/written-${count}`, value: new Uint8Array(), expected: 0 });
    await Promise.all([served, down]);
    expect(ended).toEqual(["head 200"]);
  });

  it("cuts connections whose requests do not end in time, and then ends", async () => {
    const events: string[] = [];
    let isCut: () => void = () => {};
    const server = {
      beginShutdown: () => void events.push("not ready"),
      answered: async () => {},
      stop: () => new Promise<void>((resolve) => (isCut = resolve)),
    } as unknown as ApiServer;
    const listener = {
      stopAccepting: () => void events.push("accepts no more"),
      cut: () => (events.push("cut"), isCut()),
    } as unknown as Listener;
    const clock = createVirtualClock();
    const down = shutDown(server, listener, { delayMs: 0, sendRetryAfter: false, watchGraceMs: 5_000 }, deps(clock));
    await clock.advance(64_999);
    expect(events).toEqual(["not ready", "accepts no more"]);
    await clock.advance(1);
    await down;
    expect(events).toEqual(["not ready", "accepts no more", "cut"]);
  });

  it("leaves behind what never ends", async () => {
    const server = {
      beginShutdown() {},
      answered: async () => {},
      stop: () => new Promise<void>(() => {}),
    } as unknown as ApiServer;
    const listener = { stopAccepting() {}, cut() {} } as unknown as Listener;
    const clock = createVirtualClock();
    let isDown = false;
    const options = { delayMs: 0, sendRetryAfter: false, watchGraceMs: 0 };
    const down = shutDown(server, listener, options, deps(clock)).then(() => (isDown = true));
    await clock.advance(64_999);
    expect(isDown).toBe(false);
    await clock.advance(1);
    await down;
  });
});
