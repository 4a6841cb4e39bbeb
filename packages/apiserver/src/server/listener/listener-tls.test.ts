import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { type ClusterCertificates, ensureCertificates } from "@coxswain/component/certificates";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../compose/api-server.js";
import { type Listener, listen } from "./listener.js";

describe("TLS while the server runs", () => {
  const directories: string[] = [];
  const make = (host: string): ClusterCertificates => {
    const directory = mkdtempSync(join(tmpdir(), "coxswain-tls-"));
    directories.push(directory);
    return ensureCertificates(directory, { clock: systemClock, random: systemRandom, hosts: [host] });
  };
  const first = make("first.example.com");
  const second = make("second.example.com");
  const byName = make("*.named.example.com");
  let server: ApiServer;
  let listener: Listener;
  let handshakeErrors = 0;

  beforeAll(async () => {
    server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      limits: { goawayChance: 1 },
    });
    listener = await listen(
      {
        host: "127.0.0.1",
        moreHosts: ["127.0.0.2"],
        port: 0,
        certificate: first.server.certificate,
        key: first.server.key,
        clientAuthority: first.ca.certificate,
        named: [{ certificate: byName.server.certificate, key: byName.server.key, patterns: ["*.named.example.com"] }],
        minVersion: "TLSv1.3",
        onHandshakeError: () => (handshakeErrors += 1),
        runtime: systemRuntime(),
      },
      (request, sink) => void server.serve(request, sink),
    );
  });
  afterAll(async () => {
    listener.stopAccepting();
    await server.stop();
    await listener.close();
    for (const directory of directories) rmSync(directory, { recursive: true });
  });

  /** The authority of the certificate that is shown; rejects when no connection comes about. */
  const shown = (options: {
    ca: string;
    servername?: string;
    host?: string;
    maxVersion?: "TLSv1.2";
  }): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connectTls(
        { port: listener.port, host: "127.0.0.1", checkServerIdentity: () => undefined, ...options },
        () => {
          resolve(socket.getPeerX509Certificate()?.issuer ?? "");
          socket.destroy();
        },
      );
      socket.on("error", reject);
    });
  const watch = (certificates: ClusterCertificates) => {
    const session = connectHttp2(`https://127.0.0.1:${listener.port}`, {
      ca: certificates.ca.certificate,
      cert: certificates.admin.certificate,
      key: certificates.admin.key,
    });
    const stream = session.request({ ":path": "/api/v1/namespaces?watch=true&resourceVersion=0" });
    return { session, stream };
  };
  const status = (certificates: ClusterCertificates, path: string, host = "127.0.0.1"): Promise<number> =>
    new Promise((resolve, reject) => {
      const session = connectHttp2(`https://${host}:${listener.port}`, {
        ca: certificates.ca.certificate,
        cert: certificates.admin.certificate,
        key: certificates.admin.key,
        checkServerIdentity: () => undefined,
      });
      session.on("error", reject);
      const stream = session.request({ ":path": path });
      stream.on("response", (headers) => resolve(headers[":status"] ?? 0));
      stream.on("error", reject);
      stream.on("close", () => session.close());
      stream.resume();
    });

  it("answers on every address", async () => expect(await status(first, "/readyz", "127.0.0.2")).toBe(200));
  it("shows the certificate that a name asks for", async () => {
    await expect(shown({ ca: byName.ca.certificate, servername: "a.named.example.com" })).resolves.not.toBe("");
    await expect(shown({ ca: byName.ca.certificate, servername: "a.b.named.example.com" })).rejects.toThrow(
      "certificate",
    );
  });
  it("refuses a TLS version below the minimum, and counts it", async () => {
    await expect(shown({ ca: first.ca.certificate, maxVersion: "TLSv1.2" })).rejects.toThrow("protocol version");
    expect(handshakeErrors).toBeGreaterThan(0);
  });
  it("asks a client to come back over another connection, and finishes what is under way", async () => {
    const { session, stream } = watch(first);
    const goAway = new Promise<number>((resolve) => session.on("goaway", resolve));
    stream.resume();
    expect(await goAway).toBe(0);
    expect(stream.destroyed).toBe(false);
    stream.close();
  });
  it("new connections see new certificates and authorities; a watch goes on", async () => {
    const { stream } = watch(first);
    await new Promise((resolve) => stream.once("data", resolve));
    listener.setCredentials({
      certificate: second.server.certificate,
      key: second.server.key,
      clientAuthority: second.ca.certificate,
    });
    expect(await status(second, "/api/v1/namespaces")).toBe(200);
    await expect(shown({ ca: first.ca.certificate })).rejects.toThrow("certificate");
    const event = new Promise<string>((resolve) =>
      stream.on("data", (chunk) => String(chunk).includes("rotated") && resolve(String(chunk))),
    );
    const made = { kind: "Namespace", apiVersion: "v1", metadata: { name: "rotated" } };
    await server.answer({
      method: "POST",
      path: "/api/v1/namespaces",
      query: "",
      header: () => undefined,
      headerNames: () => [],
      body: { as: "value", value: made },
      signal: new AbortController().signal,
      whenGone: () => () => {},
      caller: { via: "process", user: { name: "admin", groups: ["system:masters"] } },
    });
    expect(await event).toContain('"ADDED"');
    stream.close();
  });
  it("a key that does not fit its certificate changes nothing", async () => {
    expect(() =>
      listener.setCredentials({
        certificate: first.server.certificate,
        key: second.server.key,
        clientAuthority: first.ca.certificate,
      }),
    ).toThrow("key values mismatch");
    expect(await status(second, "/api/v1/namespaces")).toBe(200);
  });
});
