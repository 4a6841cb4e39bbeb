import { systemRuntime } from "@coxswain/runtime";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it, vi } from "vitest";
import { textAnswer } from "../endpoints/router-errors.js";
import type { RequestMetrics } from "./metrics/request-metrics.js";
import type { ApiRequest } from "../request/request.js";
import type { ResponseSink } from "../request/response-sink.js";
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
