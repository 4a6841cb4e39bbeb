import { request as httpsRequest } from "node:https";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@coxswain/apimachinery/clock";
import { systemRandom } from "@coxswain/apimachinery/random";
import { type ClusterCertificates, ensureCertificates } from "@coxswain/component/certificates";
import { createMemoryStore } from "@coxswain/storage/memory";
import { type ApiServer, startApiServer } from "./api-server.js";
import { type Listener, listen } from "./listener.js";

interface Answer {
  status: number;
  body: string;
}

describe("the listener", () => {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-listener-"));
  let certificates: ClusterCertificates;
  let server: ApiServer;
  let listener: Listener;
  beforeAll(async () => {
    certificates = ensureCertificates(directory, { clock: systemClock, random: systemRandom });
    server = await startApiServer({ store: createMemoryStore({ clock: systemClock }) });
    listener = await listen(
      { port: 0, certificate: certificates.server.certificate, key: certificates.server.key, clientAuthority: certificates.ca.certificate, ioClock: systemClock },
      (request, sink) => void server.serve(request, sink),
    );
  });
  afterAll(async () => {
    listener.stopAccepting();
    await server.stop();
    await listener.close();
    rmSync(directory, { recursive: true });
  });

  const tls = (asAdmin: boolean) => ({ ca: certificates.ca.certificate, ...(asAdmin ? { cert: certificates.admin.certificate, key: certificates.admin.key } : {}) });
  const overHttp1 = (path: string, asAdmin = true): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = httpsRequest({ port: listener.port, host: "127.0.0.1", path, ...tls(asAdmin) }, (response) => {
        let body = "";
        response.on("data", (chunk) => (body += String(chunk)));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      });
      request.on("error", reject);
      request.end();
    });
  const overHttp2 = (path: string, asAdmin = true): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const session = connectHttp2(`https://127.0.0.1:${listener.port}`, tls(asAdmin));
      const stream = session.request({ ":path": path });
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

  for (const [name, get] of [["HTTP/1.1", overHttp1], ["HTTP/2", overHttp2]] as const) {
    it(`${name}: answers a client by its certificate`, async () => {
      const { status, body } = await get("/api/v1/namespaces/default");
      expect([status, (JSON.parse(body) as { metadata: { name: string } }).metadata.name]).toEqual([200, "default"]);
    });
    it(`${name}: without one it is anonymous: health is told, the rest forbidden`, async () => {
      expect(await get("/readyz", false)).toEqual({ status: 200, body: "ok" });
      const { status, body } = await get("/api/v1/namespaces", false);
      expect(status).toBe(403);
      expect(body).toContain('User \\"system:anonymous\\" cannot list resource \\"namespaces\\"');
    });
  }

  it("nonsense on the socket closes it, and others keep being answered", async () => {
    await new Promise<void>((resolve) => {
      const socket = connectTls({ port: listener.port, host: "127.0.0.1", ALPNProtocols: ["h2"], ...tls(true) }, () => socket.write("this is no HTTP/2 preface, and it goes on for a while\r\n\r\n"));
      socket.on("close", () => resolve());
      socket.on("error", () => {});
      socket.on("data", () => {});
    });
    expect((await overHttp2("/readyz")).status).toBe(200);
  });
});
