import { StatusError } from "@coxswain/apimachinery/status";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { bytesResponse } from "../recording/bytes-response.js";
import { intercept, parseWarnings, type Transport, TransportError, type TransportRequest } from "../transport/index.js";
import {
  createRestClient,
  createWarningLog,
  limitRate,
  observeRequests,
  type RequestRecord,
  retryRequests,
  traceRequests,
} from "./index.js";

type Answer = { status: number; headers?: Record<string, string>; text?: string } | Error;

/** Gives these answers, one after another; the last again and again. */
function scripted(...answers: Answer[]): Transport & { sent: TransportRequest[] } {
  const sent: TransportRequest[] = [];
  const next = (request: TransportRequest): Exclude<Answer, Error> => {
    const answer = answers[Math.min(sent.length, answers.length - 1)] as Answer;
    sent.push(request);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return {
    sent,
    async send(request) {
      const { status, headers = {}, text = "{}" } = next(request);
      return bytesResponse(status, headers, new TextEncoder().encode(text));
    },
    async watch(request) {
      next(request);
      return { stop() {}, async *[Symbol.asyncIterator]() {} };
    },
    close: () => Promise.resolve(),
  };
}

const get: TransportRequest = { method: "GET", path: "/api/v1/namespaces/default/pods/web" };
const post: TransportRequest = { ...get, method: "POST" };
const busy = (seconds = "2"): Answer => ({ status: 429, headers: { "retry-after": seconds } });
const lost = new TransportError("lost", "gone");
const neverSent = new TransportError("lost", "gone", { neverSent: true });
const refused = (code: number, retryAfterSeconds?: number): StatusError =>
  new StatusError({
    code,
    reason: "",
    message: "no",
    details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  });

describe("retries", () => {
  const rows: {
    name: string;
    request: TransportRequest;
    answers: Answer[];
    tries: number;
    seconds: number;
    ends: number | Error;
  }[] = [
    {
      name: "429 with Retry-After is tried again after that time",
      request: get,
      answers: [busy(), busy("3"), { status: 200 }],
      tries: 3,
      seconds: 5,
      ends: 200,
    },
    {
      name: "so is a POST: the server has not acted",
      request: post,
      answers: [busy(), { status: 201 }],
      tries: 2,
      seconds: 2,
      ends: 201,
    },
    {
      name: "and a 503 with Retry-After",
      request: get,
      answers: [{ status: 503, headers: { "retry-after": "1" } }, { status: 200 }],
      tries: 2,
      seconds: 1,
      ends: 200,
    },
    {
      name: "a 500 without Retry-After is an answer",
      request: get,
      answers: [{ status: 500 }],
      tries: 1,
      seconds: 0,
      ends: 500,
    },
    {
      name: "a 404 is an answer, whatever its headers",
      request: get,
      answers: [{ status: 404, headers: { "retry-after": "1" } }],
      tries: 1,
      seconds: 0,
      ends: 404,
    },
    { name: "ten retries are enough", request: get, answers: [busy("1")], tries: 11, seconds: 10, ends: 429 },
    {
      name: "a GET whose connection was lost is tried again a second later",
      request: get,
      answers: [lost, { status: 200 }],
      tries: 2,
      seconds: 1,
      ends: 200,
    },
    {
      name: "a POST whose connection was lost is not: it may have been done",
      request: post,
      answers: [lost],
      tries: 1,
      seconds: 0,
      ends: lost,
    },
    {
      name: "unless it was never sent",
      request: post,
      answers: [neverSent, { status: 201 }],
      tries: 2,
      seconds: 1,
      ends: 201,
    },
    {
      name: "a server that cannot be reached is the caller's to wait for",
      request: get,
      answers: [new TransportError("connect", "refused")],
      tries: 1,
      seconds: 0,
      ends: new TransportError("connect", "refused"),
    },
  ];
  for (const { name, request, answers, tries, seconds, ends } of rows)
    it(name, async () => {
      const clock = createVirtualClock({ startMs: 0 });
      const transport = scripted(...answers);
      const result = intercept(transport, [retryRequests({ clock })])
        .send(request)
        .then(
          (response) => response.status,
          (error: unknown) => error,
        );
      while (transport.sent.length < tries) await clock.advance(1000);
      const outcome = await result;
      if (ends instanceof Error) expect(outcome).toMatchObject({ message: ends.message });
      else expect(outcome).toBe(ends);
      expect([transport.sent.length, clock.now() / 1000]).toEqual([tries, seconds]);
    });
  it("a watch that is refused with a delay is opened again after it", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const transport = scripted(refused(429, 2), refused(410, 2));
    const opening = intercept(transport, [retryRequests({ clock })])
      .watch(get)
      .catch((error: unknown) => error);
    while (transport.sent.length < 2) await clock.advance(1000);
    expect(await opening).toMatchObject({ status: { code: 410 } });
    expect(clock.now()).toBe(2000);
  });
  it("an abort ends the wait with its reason", async () => {
    const clock = createVirtualClock();
    const ending = new AbortController();
    const waiting = intercept(scripted(busy()), [retryRequests({ clock })]).send({ ...get, signal: ending.signal });
    await clock.settle();
    ending.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});

it("a rate limit lets a burst through and holds back the rest", async () => {
  const clock = createVirtualClock({ startMs: 0 });
  const transport = scripted({ status: 200 });
  const limited = intercept(transport, [limitRate({ qps: 1, burst: 2, clock })]);
  const all = Promise.all([1, 2, 3, 4].map(() => limited.send(get)));
  await clock.settle();
  expect(transport.sent).toHaveLength(2);
  await clock.advance(2000);
  await all;
  expect(transport.sent).toHaveLength(4);
});

it("requests are observed, each try by itself", async () => {
  const records: RequestRecord[] = [];
  const observed = intercept(scripted({ status: 200 }, lost), [
    observeRequests((record) => records.push(record), { clock: createVirtualClock() }),
  ]);
  await observed.send(get);
  await observed.watch(get).catch(() => {});
  expect(records).toMatchObject([
    { method: "GET", isWatch: false, status: 200 },
    { isWatch: true, status: undefined, error: lost },
  ]);
});

it("a trace continues in the server", async () => {
  const log: string[] = [];
  const tracer = {
    startSpan: (name: string) => ({
      setAttribute: (key: string, value: unknown) => log.push(`${name} ${key}=${String(value)}`),
      setStatus: () => {},
      recordException: (error: Error) => log.push(`exception ${error.message}`),
      spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 }),
      end: () => log.push("end"),
    }),
  };
  const transport = scripted({ status: 200 }, lost);
  const traced = intercept(transport, [traceRequests(tracer)]);
  await traced.send(get);
  await traced.send(get).catch(() => {});
  expect(transport.sent[0]?.headers?.["traceparent"]).toBe(`00-${"a".repeat(32)}-${"b".repeat(16)}-01`);
  expect(log).toEqual(["GET http.response.status_code=200", "end", "exception gone", "end"]);
});

describe("warnings", () => {
  const headers = [
    { header: '299 - "one"', texts: ["one"] },
    {
      header: '299 - "a \\"quoted\\" \\\\ text", 299 - "two, with comma"',
      texts: ['a "quoted" \\ text', "two, with comma"],
    },
    { header: '199 - "not ours", 299 - "ours"', texts: ["ours"] },
    { header: '299 - "dated" "Tue, 15 Nov 1994 08:12:31 GMT", 299 - "next"', texts: ["dated", "next"] },
    { header: '299 - "open', texts: [] },
    { header: "nonsense", texts: [] },
  ];
  for (const { header, texts } of headers) it(header, () => expect(parseWarnings(header)).toEqual(texts));
  it("the log writes each distinct one once", () => {
    const lines: string[] = [];
    const log = createWarningLog((line) => lines.push(line));
    for (const text of ["a", "b", "a"]) log(text);
    expect(lines).toEqual(["Warning: a", "Warning: b"]);
  });
});

describe("refusals", () => {
  const rows = [
    {
      name: "a Status in the body",
      answer: {
        status: 404,
        text: '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":"pods \\"web\\" not found"}',
      },
      reason: "NotFound",
      message: 'pods "web" not found',
    },
    {
      name: "a page of a proxy",
      answer: { status: 502, headers: { "content-type": "text/html" }, text: "<html>Bad Gateway</html>" },
      reason: "InternalError",
      message:
        'an error on the server ("<html>Bad Gateway</html>") has prevented the request from succeeding (get pods web)',
    },
    {
      name: "a plain 403",
      answer: { status: 403, headers: { "content-type": "text/plain" }, text: "go away" },
      reason: "Forbidden",
      message: "go away (get pods web)",
    },
    {
      name: "bytes of an unknown kind",
      answer: { status: 500, headers: { "content-type": "application/octet-stream" }, text: "\u0001" },
      reason: "InternalError",
      message: 'an error on the server ("unknown") has prevented the request from succeeding (get pods web)',
    },
    {
      name: "a redirect",
      answer: { status: 302 },
      reason: undefined,
      message: "the server responded with the status code 302 but did not return more information (get pods web)",
    },
  ];
  for (const { name, answer, reason, message } of rows)
    it(name, async () => {
      const error = await createRestClient({ transport: scripted(answer) })
        .send(get)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ status: { code: answer.status, message } });
      expect((error as StatusError).status.reason).toBe(reason);
    });
  it("an answer that is no JSON is a TransportError that quotes it", () =>
    expect(
      createRestClient({ transport: scripted({ status: 200, text: "<html>login</html>" }) }).send(get),
    ).rejects.toThrow('the answer is no JSON: "<html>login</html>"'));
});
