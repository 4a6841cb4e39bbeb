import { systemRuntime } from "@coxswain/runtime";
import { macrotask } from "@coxswain/runtime/event-loop";
import { silentLogger } from "@coxswain/runtime/log";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it, vi } from "vitest";
import { textAnswer } from "../../endpoints/router-errors.js";
import type { WatchAnswer } from "../../request/answer.js";
import type { Handler } from "../../request/filter.js";
import type { ApiRequest } from "../../request/request.js";
import type { ResponseSink } from "../../request/response-sink.js";
import type { RequestMetrics } from "../metrics/request-metrics.js";
import { createRequestServer } from "./serve-requests.js";

const request: ApiRequest = {
  method: "GET",
  path: "/api/v1/nodes",
  query: "",
  header: () => undefined,
  headerNames: () => [],
  body: { as: "value", value: undefined },
  signal: new AbortController().signal,
  whenGone: () => () => {},
  caller: { via: "process", user: { name: "ann", groups: [] } },
};
const answer = textAnswer(200, "ok");

describe("a request over which the server breaks", () => {
  const serve = async (handle: () => Promise<typeof answer> | typeof answer, metrics: Partial<RequestMetrics> = {}) => {
    const error = vi.fn();
    const sink = {
      code: 0,
      bytes: 0,
      headersSent: false,
      head: vi.fn(),
      only: vi.fn(),
      end: vi.fn(),
      flushed: vi.fn(),
      abort: vi.fn(),
    };
    const requests = {
      began: () => () => {},
      answered: () => {},
      watchEvents: () => () => {},
      ...metrics,
    } as unknown as RequestMetrics;
    const server = createRequestServer({
      handle,
      runtime: systemRuntime({
        random: createSeededRandom(1),
        log: { info: vi.fn(), error, debug: vi.fn(), warn: vi.fn(), enabled: () => false } as never,
      }),
      requests,
    });
    await server.serve(request, sink as unknown as ResponseSink);
    await server.drained();
    return { sink, logged: error.mock.calls.map(([message]) => message as string) };
  };
  const cases: [
    name: string,
    handle: () => Promise<typeof answer> | typeof answer,
    metrics: Partial<RequestMetrics>,
    logged: string[],
  ][] = [
    [
      "an exception of a handler is answered to the client",
      () => {
        throw new Error("x");
      },
      {},
      ["response failed"],
    ],
    ["so is one that fails later", () => Promise.reject(new Error("x")), {}, ["response failed"]],
    [
      "counting that throws ends the request only",
      () => answer,
      {
        answered: () => {
          throw new Error("x");
        },
      },
      ["request broken"],
    ],
    [
      "also when the answer came later",
      () => Promise.resolve(answer),
      {
        answered: () => {
          throw new Error("x");
        },
      },
      ["request broken"],
    ],
    ["nothing is logged of one that is well", () => answer, {}, []],
  ];
  for (const [name, handle, metrics, logged] of cases)
    it(name, async () => expect((await serve(handle, metrics)).logged).toEqual(logged));
});

describe("a request from this process", () => {
  const serverOf = (handle: Handler) => {
    const lines: unknown[] = [];
    const answered: number[] = [];
    const log = {
      ...silentLogger,
      enabled: () => true,
      debug: (_: string, fields: unknown) => void lines.push(fields),
    };
    const requests = {
      began: () => () => {},
      answered: (_: unknown, { code }: { code: number }) => void answered.push(code),
    } as unknown as RequestMetrics;
    const runtime = systemRuntime({ random: createSeededRandom(1), log: log as never });
    return { lines, answered, server: createRequestServer({ handle, runtime, requests }) };
  };
  const isOver = async (waiting: Promise<void>): Promise<boolean> => {
    let over = false;
    void waiting.then(() => (over = true));
    await macrotask();
    return over;
  };

  it("is in flight until it is answered, and then counted and logged", async () => {
    let finish: ((given: typeof answer) => void) | undefined;
    const { server, lines, answered } = serverOf(() => new Promise((resolve) => (finish = resolve)));
    const answering = server.answer(request);
    const drained = server.drained();
    expect(await isOver(drained)).toBe(false);
    finish?.(answer);
    expect((await answering).code).toBe(200);
    await drained;
    expect(answered).toEqual([200]);
    expect(lines).toMatchObject([{ URI: "/api/v1/nodes", srcIP: "in-process", resp: 200 }]);
  });

  it("gets an answer when a handler breaks", async () => {
    const { server } = serverOf(() => Promise.reject(new Error("x")));
    expect(await server.answer(request)).toMatchObject({ code: 500, answer: { status: { reason: "InternalError" } } });
  });

  const watching = { ...request, query: "watch=1" };
  const watchAnswer = (stopped: () => void) =>
    ({
      as: "watch",
      open: ({ end }: { end(reason: string): void }) => ({
        stop: () => (stopped(), end("stopped")),
        sendBookmark() {},
      }),
    }) as unknown as WatchAnswer;

  it("is in flight for as long as its watch lasts, and ends with the others", async () => {
    const ended: string[] = [];
    const { server } = serverOf(() => watchAnswer(() => ended.push("watcher")));
    const { answer: given } = await server.answer(watching);
    (given as WatchAnswer).open({ deliver: () => undefined, bookmark: () => {}, end: () => void ended.push("sink") });
    expect(await isOver(server.drained())).toBe(false);
    await server.endWatches(0);
    await server.drained();
    expect(ended).toEqual(["watcher", "sink"]);
  });

  it("does not hold up a shutdown with a watch that nobody opened", async () => {
    const { server } = serverOf(() => watchAnswer(() => {}));
    await server.answer(watching);
    await server.endWatches(0);
    await server.drained();
  });
});
