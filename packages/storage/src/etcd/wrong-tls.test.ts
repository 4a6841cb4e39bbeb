import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { systemRandom } from "@coxswain/runtime/random";
import { createAuthority, createServerIdentity, encodePrivateKey } from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import { openForTests } from "./testing/open-for-tests.test.support.js";

const hour = 3_600_000;
const validity = { notBefore: Date.now() - hour, notAfter: Date.now() + hour, random: systemRandom };
const [ca, stranger] = ["etcd-ca", "stranger"].map((commonName) =>
  createAuthority({ subject: { commonName }, ...validity }),
) as [ReturnType<typeof createAuthority>, ReturnType<typeof createAuthority>];

const overTls = (authority = ca, host = "127.0.0.1", validUntil = validity.notAfter): Server => {
  const { pem, privateKey } = createServerIdentity(authority, {
    subject: { commonName: "etcd" },
    hosts: [host],
    ...validity,
    notBefore: validUntil - 2 * hour,
    notAfter: validUntil,
  });
  return createTlsServer({ cert: pem, key: encodePrivateKey(privateKey), ALPNProtocols: ["h2"] });
};

describe.concurrent("etcd behind an address whose TLS is wrong gets no password, and the reason is reported", () => {
  const rows: { name: string; server: () => Server; scheme?: string; reason: RegExp }[] = [
    { name: "a certificate by another authority", server: () => overTls(stranger), reason: /certificate/ },
    {
      name: "a certificate for another host",
      server: () => overTls(ca, "192.0.2.1"),
      reason: /does not match certificate|altnames/,
    },
    {
      name: "a certificate that has expired",
      server: () => overTls(ca, "127.0.0.1", Date.now() - hour / 2),
      reason: /certificate has expired/,
    },
    {
      name: "no TLS at all",
      server: () => createServer((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      reason: /cannot connect to https/,
    },
    { name: "a handshake that never ends", server: () => createServer(), reason: /etcd|connect|answered/ },
    {
      name: "TLS where none is asked for",
      server: () => overTls(),
      scheme: "http",
      reason: /cannot connect to http|etcd/,
    },
  ];
  for (const { name, server, scheme = "https", reason } of rows)
    it(name, { timeout: 60_000 }, async () => {
      const peer = server();
      const received: Buffer[] = [];
      const sockets = new Set<Socket>();
      const sees = (event: string): void => {
        peer.on(event, (socket: Socket) => {
          sockets.add(socket.on("error", () => undefined));
          if (event === "secureConnection") socket.on("data", (chunk: Buffer) => received.push(chunk));
        });
      };
      sees("connection");
      sees("secureConnection");
      peer.on("tlsClientError", () => undefined);
      await once(peer.listen(0, "127.0.0.1"), "listening");
      const { port } = peer.address() as { port: number };
      const opening = openForTests([`${scheme}://127.0.0.1:${port}`], {
        ...(scheme === "https" && { tls: { ca: ca.pem } }),
        user: { name: "kube", password: "correct horse" },
        requestTimeoutMs: 3000,
      });
      await expect(opening).rejects.toThrow(reason);
      await expect(opening).rejects.toMatchObject({ reason: "unavailable" });
      expect(Buffer.concat(received).toString("latin1")).not.toContain("correct horse");
      for (const socket of sockets) socket.destroy();
      peer.close();
    });
});
