import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@coxswain/runtime/clock";
import { afterEach, describe, expect, it } from "vitest";
import { HttpClient, type HttpClientOptions, type HttpRequest } from "./http-client.js";

const open: { server?: Server; client?: HttpClient } = {};

async function ask(
  answer: RequestListener,
  request: Partial<HttpRequest> = {},
  options: Partial<HttpClientOptions> = {},
): Promise<unknown> {
  const server = createServer(answer);
  open.server = server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.client = new HttpClient({ ioClock: systemClock, ...options });
  const { port } = server.address() as AddressInfo;
  return open.client
    .exchange({ url: `http://127.0.0.1:${port}/path`, timeoutMs: 10_000, maxBytes: 10, ...request })
    .then(
      ({ code, body }) => ({ code, body: body.toString() }),
      (error: Error & { kind?: string }) => error.kind ?? error.message,
    );
}

afterEach(() => {
  open.client?.stop();
  open.server?.closeAllConnections();
  open.server?.close();
});

describe("HttpClient", () => {
  it("answers of any code resolve", async () => {
    expect(await ask((_, answer) => answer.writeHead(503).end("busy"))).toEqual({ code: 503, body: "busy" });
  });

  it("a body makes it a POST with its length in bytes", async () => {
    const seen = await ask((asked, answer) => answer.end(`${asked.method} ${asked.headers["content-length"]}`), {
      body: "é",
    });
    expect(seen).toEqual({ code: 200, body: "POST 2" });
  });

  it("an answer of more than maxBytes fails", async () => {
    expect(await ask((_, answer) => answer.end("12345678901"))).toBe("tooLong");
  });

  it("an answer of more than maxBytes is cut where that is asked for", async () => {
    expect(await ask((_, answer) => answer.end("12345678901"), { onTooLong: "cut" })).toEqual({
      code: 200,
      body: "1234567890",
    });
  });

  it("an endless answer ends with the deadline", async () => {
    expect(await ask((_, answer) => void answer.write("1"), { timeoutMs: 50 })).toBe("timeout");
  });

  it("no answer at all ends with the deadline", async () => {
    expect(await ask(() => {}, { timeoutMs: 50 })).toBe("timeout");
  });

  it("a body that is cut short fails", async () => {
    const cut: RequestListener = (_, answer) => {
      answer.writeHead(200, { "content-length": "8" });
      answer.write("1234", () => answer.destroy());
    };
    expect(await ask(cut)).toBe("brokenBody");
  });

  it("the caller's signal ends it", async () => {
    expect(await ask(() => {}, { signal: AbortSignal.abort() })).toMatch(/aborted/);
  });

  it("a dial that refuses is the exchange's failure, and no connection is made", async () => {
    const dial = (): never => {
      throw new Error("not there");
    };
    expect(await ask((_, answer) => answer.end("x"), {}, { dial })).toBe("not there");
  });
});
