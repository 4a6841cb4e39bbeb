import { connect as connectHttp2 } from "node:http2";
import { request as httpsRequest } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestListener } from "./test-listener.test.support.js";

interface Answer {
  status: number;
  body: string;
}

describe("the listener", () => {
  let server: Awaited<ReturnType<typeof startTestListener>>;
  beforeAll(async () => {
    server = await startTestListener();
  });
  afterAll(() => server.stop());

  const overHttp1 = (path: string, asAdmin = true): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = httpsRequest(
        { port: server.port, host: "127.0.0.1", path, ...server.tls(asAdmin) },
        (response) => {
          let body = "";
          response.on("data", (chunk) => (body += String(chunk)));
          response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
        },
      );
      request.on("error", reject);
      request.end();
    });
  const overHttp2 = (path: string, asAdmin = true, patch?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const session = connectHttp2(`https://127.0.0.1:${server.port}`, server.tls(asAdmin));
      const stream = session.request({
        ":path": path,
        ...(patch === undefined ? {} : { ":method": "PATCH", "content-type": "application/merge-patch+json" }),
      });
      stream.end(patch);
      let status = 0;
      let body = "";
      stream.on("response", (headers) => (status = headers[":status"] ?? 0));
      stream.on("data", (chunk) => (body += String(chunk)));
      stream.on("end", () => {
        session.close();
        resolve({ status, body });
      });
      stream.on("error", reject);
    });

  it("HTTP/2: a patch is answered, and counted by its content type", async () => {
    expect((await overHttp2("/api/v1/namespaces/default", true, '{"metadata":{"labels":{"a":"b"}}}')).status).toBe(200);
  });

  for (const [name, get] of [
    ["HTTP/1.1", overHttp1],
    ["HTTP/2", overHttp2],
  ] as const) {
    it(`${name}: answers a client by its certificate`, async () => {
      const { status, body } = await get("/api/v1/namespaces/default");
      expect([status, (JSON.parse(body) as { metadata: { name: string } }).metadata.name]).toEqual([200, "default"]);
    });
    it(`${name}: without one health is served, and nothing else`, async () => {
      expect(await get("/readyz", false)).toEqual({ status: 200, body: "ok" });
      const { status, body } = await get("/api/v1/namespaces", false);
      expect(status).toBe(401);
      expect(body).toContain('"message":"Unauthorized","reason":"Unauthorized","code":401');
    });
  }
});
