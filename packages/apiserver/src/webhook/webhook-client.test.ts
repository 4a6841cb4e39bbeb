import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { systemClock } from "@coxswain/apimachinery/clock";
import { createSeededRandom } from "@coxswain/apimachinery/random";
import { afterEach, describe, expect, it } from "vitest";
import { createWebhookClient, type WebhookClient, type WebhookOptions } from "./webhook-client.js";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** A service that gives these answers one after the other, the last for ever. */
async function service(...answers: readonly (readonly [code: number, body: string])[]): Promise<{ url: string; asked: { body: string; authorization: string | undefined }[] }> {
  const asked: { body: string; authorization: string | undefined }[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      const [code, said] = answers[Math.min(asked.length, answers.length - 1)] ?? [500, ""];
      asked.push({ body, authorization: request.headers.authorization });
      response.writeHead(code).end(said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, asked };
}

function clientOf(url: string, options: Partial<WebhookOptions> & { token?: string } = {}): WebhookClient {
  const { token, ...rest } = options;
  const client = createWebhookClient({ server: url, insecure: false, ...(token === undefined ? {} : { token }) }, { ioClock: systemClock, random: createSeededRandom(1), initialBackoffMs: 1, ...rest });
  closers.push(() => client.stop());
  return client;
}

describe("a webhook", () => {
  it("is asked in JSON with its token, and answers in JSON", async () => {
    const { url, asked } = await service([200, '{"allowed":true}']);
    expect(await clientOf(url, { token: "abc" }).post({ a: 1 })).toEqual({ allowed: true });
    expect(asked).toEqual([{ body: '{"a":1}', authorization: "Bearer abc" }]);
  });

  it("is asked again while it is out of order", async () => {
    const { url, asked } = await service([500, "no"], [503, "no"], [200, "{}"]);
    expect(await clientOf(url).post({})).toEqual({});
    expect(asked).toHaveLength(3);
  });

  it("tells of every try how it went", async () => {
    const { url } = await service([500, "no"], [504, "late"], [200, "{}"]);
    const outcomes: string[] = [];
    await clientOf(url, { onTry: (outcome) => outcomes.push(outcome) }).post({});
    expect(outcomes).toEqual(["error", "timeout", "success"]);
  });

  it("is asked five times at most", async () => {
    const { url, asked } = await service([500, "broken"]);
    await expect(clientOf(url).post({})).rejects.toThrow("the server answered 500: broken");
    expect(asked).toHaveLength(5);
  });

  it("is not asked again when it says no", async () => {
    const { url, asked } = await service([403, "no"]);
    await expect(clientOf(url).post({})).rejects.toMatchObject({ code: 403 });
    expect(asked).toHaveLength(1);
  });

  it("that is not there is an error that names it", async () => {
    await expect(clientOf("http://127.0.0.1:1/hook").post({})).rejects.toThrow('Post "http://127.0.0.1:1/hook": connect ECONNREFUSED');
  });

  it("is not waited for after the caller has gone", async () => {
    const { url } = await service([500, ""]);
    const gone = new AbortController();
    const asking = clientOf(url, { initialBackoffMs: 60_000 }).post({}, gone.signal);
    gone.abort(new Error("gone"));
    await expect(asking).rejects.toThrow(/gone|abort/);
  });
});
