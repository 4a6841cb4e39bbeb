import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { systemRuntime } from "@coxswain/runtime";
import { createSeededRandom, systemRandom } from "@coxswain/runtime/random";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { afterEach, describe, expect, it } from "vitest";
import { isPassing } from "./webhook-answer.js";
import { createWebhookClient, type WebhookClient, type WebhookOptions } from "./webhook-client.js";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** A service that gives these answers one after the other, the last for ever. */
async function service(...answers: readonly (readonly [code: number, body: string])[]): Promise<{
  url: string;
  asked: { body: string; authorization: string | undefined }[];
  paths: (string | undefined)[];
}> {
  const paths: (string | undefined)[] = [];
  const asked: { body: string; authorization: string | undefined }[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void text(request).then((body) => {
      const [code, answer] = answers[Math.min(asked.length, answers.length - 1)] ?? [500, ""];
      asked.push({ body, authorization: request.headers.authorization });
      paths.push(request.url);
      response
        .writeHead(code, code < 300 || answer === "boom" ? { "content-type": "application/json" } : {})
        .end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, asked, paths };
}

function clientOf(url: string, options: Partial<WebhookOptions> & { token?: string } = {}): WebhookClient {
  const { token, ...rest } = options;
  const client = createWebhookClient(
    { server: url, insecure: false, ...(token === undefined ? {} : { token }) },
    { runtime: systemRuntime({ random: createSeededRandom(1) }), initialBackoffMs: 1, ...rest },
  );
  closers.push(() => client.stop());
  return client;
}

describe("a webhook", () => {
  it("is asked in JSON, and answers in JSON; no token goes where everybody can read it", async () => {
    const { url, asked } = await service([200, '{"allowed":true}']);
    expect(await clientOf(url, { token: "abc" }).post({ a: 1 })).toEqual({ allowed: true });
    expect(asked).toEqual([{ body: '{"a":1}', authorization: undefined }]);
  });

  const trusted = [
    { name: "the authority that signed its certificate", pem: (ca: string, _own: string) => ca },
    { name: "its own certificate, as that of envtest is", pem: (_ca: string, own: string) => own },
  ];
  for (const { name, pem } of trusted)
    it(`is shown its token by https; what is trusted is ${name}`, async () => {
      const shown: unknown[] = [];
      const life = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000, random: systemRandom };
      const ca = createAuthority({ ...life, subject: { commonName: "ca" } });
      const identity = createServerIdentity(ca, { ...life, subject: { commonName: "hook" }, hosts: ["127.0.0.1"] });
      const server = createSecureServer(
        { cert: identity.pem, key: encodePrivateKey(identity.privateKey) },
        (request, response) => {
          shown.push(request.headers.authorization);
          response.end("{}");
        },
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      closers.push(() => server.close());
      const client = createWebhookClient(
        {
          server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
          insecure: false,
          certificateAuthority: pem(ca.pem, identity.pem),
          token: "abc",
        },
        { runtime: systemRuntime({ random: createSeededRandom(1) }) },
      );
      closers.push(() => client.stop());
      await client.post({});
      expect(shown).toEqual(["Bearer abc"]);
    });

  it("whose certificate has but a common name is not trusted, as Go trusts none", async () => {
    const life = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 600_000, random: systemRandom };
    const ca = createAuthority({ ...life, subject: { commonName: "ca" } });
    const identity = createServerIdentity(ca, { ...life, subject: { commonName: "localhost" }, hosts: [] });
    const server = createSecureServer(
      { cert: identity.pem, key: encodePrivateKey(identity.privateKey) },
      (_request, response) => void response.end("{}"),
    );
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
    closers.push(() => server.close());
    const counted: string[] = [];
    const certificates = {
      missingNames: () => void counted.push("missing names"),
      weakDigest: () => void counted.push("weak digest"),
    };
    const client = createWebhookClient(
      {
        server: `https://localhost:${(server.address() as AddressInfo).port}`,
        insecure: false,
        certificateAuthority: ca.pem,
      },
      { runtime: systemRuntime({ random: createSeededRandom(1) }), certificates },
    );
    closers.push(() => client.stop());
    await expect(client.post({})).rejects.toThrow(
      "x509: certificate relies on legacy Common Name field, use SANs instead",
    );
    expect(counted).toEqual(["missing names"]);
  });

  it("is asked again while it is out of order", async () => {
    const { url, asked } = await service([500, "no"], [429, "no"], [200, "{}"]);
    expect(await clientOf(url).post({})).toEqual({});
    expect(asked).toHaveLength(3);
  });

  it("reports the outcome of every try", async () => {
    const { url } = await service([500, "no"], [504, "late"], [200, "{}"]);
    const outcomes: string[] = [];
    await clientOf(url, { onTry: (outcome) => outcomes.push(outcome) }).post({});
    expect(outcomes).toEqual(["error", "timeout", "success"]);
  });

  it("is asked five times at most", async () => {
    const { url, asked } = await service([500, "broken"]);
    await expect(clientOf(url).post({})).rejects.toThrow(
      'an error on the server ("broken") has prevented the request from succeeding',
    );
    expect(asked).toHaveLength(5);
  });

  it("is not asked again after a refusal", async () => {
    const { url, asked } = await service([403, "no"]);
    await expect(clientOf(url).post({})).rejects.toMatchObject({ code: 403 });
    expect(asked).toHaveLength(1);
  });

  it("that is not there is an error that names it", async () => {
    await expect(clientOf("http://127.0.0.1:1/hook").post({})).rejects.toThrow(
      'Post "http://127.0.0.1:1/hook?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });

  it("that is not there is not asked again", async () => {
    const outcomes: string[] = [];
    await clientOf("http://127.0.0.1:1/hook", { onTry: (outcome) => outcomes.push(outcome) })
      .post({})
      .catch(() => {});
    expect(outcomes).toEqual(["error"]);
  });

  it("that is overloaded is asked again if it sends Retry-After", async () => {
    const { url, asked } = await service([503, "no"]);
    await clientOf(url)
      .post({})
      .catch(() => {});
    expect(asked).toHaveLength(1);
    expect(isPassing({ code: 503, contentType: "", retryAfter: "1", body: "" })).toBe(true);
  });

  it("receives its timeout", async () => {
    const { url, paths } = await service([200, "{}"]);
    await clientOf(`${url}?mine=1`, { timeoutMs: 3000 }).post({});
    expect(paths).toEqual(["/hook?timeout=3s"]);
  });

  /** The errors of kube-apiserver 1.36.4 for the same answers; they are not asked for again. */
  const odd: [name: string, code: number, body: string, message: string][] = [
    ["nothing", 200, "", "0-length response with status code: 200 and content type: application/json"],
    [
      "no JSON",
      200,
      "junk",
      String.raw`couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
    ],
    [
      "something else",
      200,
      '{"kind":"Pod","apiVersion":"v1"}',
      "converting (v1.Pod) to (v1.TokenReview): unknown conversion",
    ],
    ["that it is forbidden", 403, "boom", "unknown"],
    ["that it is wrong", 400, "boom", "the server rejected our request for an unknown reason"],
    ["a Status", 403, '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"not you"}', "not you"],
  ];
  for (const [name, code, body, message] of odd) {
    it(`that answers ${name}: ${message.slice(0, 40)}`, async () => {
      const { url, asked } = await service([code, body]);
      await expect(
        clientOf(url, { expects: { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview" } }).post({}),
      ).rejects.toMatchObject({ message });
      expect(asked).toHaveLength(1);
    });
  }

  it("that restarted is asked over a new connection, and not over one that it has closed", async () => {
    const open = (port: number): Promise<Server> =>
      new Promise((resolve) => {
        const server = createServer((request, response) => {
          request.resume().once("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
        });
        server.listen(port, "127.0.0.1", () => resolve(server));
      });
    let server = await open(0);
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const client = clientOf(`http://127.0.0.1:${port}/hook`, { isRetriable: () => false });
    for (let round = 0; round < 20; round++) {
      expect(await client.post({})).toEqual({});
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      server = await open(port);
    }
  });

  it("is not waited for after the caller has gone", async () => {
    const { url } = await service([500, ""]);
    const gone = new AbortController();
    const asking = clientOf(url, { initialBackoffMs: 60_000 }).post({}, gone.signal);
    gone.abort(new Error("gone"));
    await expect(asking).rejects.toThrow(/gone|abort/);
  });
});
