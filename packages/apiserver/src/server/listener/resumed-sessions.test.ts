import { connect, type TLSSocket } from "node:tls";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import {
  createAuthority,
  createClientIdentity,
  createServerIdentity,
  encodePrivateKey,
  generateKeyPair,
  issueCertificate,
} from "@coxswain/wire/x509";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../compose/api-server.js";
import { listen } from "./listener.js";

describe("a resumed TLS session", () => {
  const day = 86_400_000;
  const notBefore = systemClock.now() - day;
  const validity = { notBefore, notAfter: notBefore + 365 * day, random: systemRandom };
  const root = createAuthority({ ...validity, subject: { commonName: "root" } });
  const keys = generateKeyPair();
  const intermediate = {
    ...issueCertificate(
      {
        ...validity,
        subject: { commonName: "intermediate" },
        publicKey: keys.publicKey,
        isCa: true,
        keyUsage: ["keyCertSign"],
      },
      root,
      systemRandom,
    ),
    privateKey: keys.privateKey,
  };
  const client = createClientIdentity(intermediate, {
    ...validity,
    subject: { commonName: "ada", organizations: ["system:masters"] },
  });
  const own = createServerIdentity(root, { ...validity, subject: { commonName: "server" }, hosts: ["127.0.0.1"] });

  for (const version of ["TLSv1.2", "TLSv1.3"] as const)
    it(`knows the client by a certificate of an intermediate authority, over ${version}`, async () => {
      const server = await startApiServer({
        runtime: systemRuntime(),
        store: createMemoryStore({ runtime: systemRuntime() }),
        authentication: { clientCa: root.pem },
      });
      const listener = await listen(
        {
          port: 0,
          certificate: own.pem,
          key: encodePrivateKey(own.privateKey),
          clientAuthority: root.pem,
          runtime: systemRuntime(),
        },
        (request, sink) => void server.serve(request, sink),
      );
      let session: Buffer | undefined;
      const ask = (): Promise<{ code: string; isResumed: boolean }> =>
        new Promise((resolve, reject) => {
          const socket: TLSSocket = connect({
            port: listener.port,
            host: "127.0.0.1",
            ca: root.pem,
            cert: client.pem + intermediate.pem,
            key: encodePrivateKey(client.privateKey),
            maxVersion: version,
            ...(session ? { session } : {}),
          });
          socket.on("session", (ticket) => (session = ticket));
          socket.on("error", reject);
          let text = "";
          let isResumed = false;
          socket.on("secureConnect", () => (isResumed = socket.isSessionReused()));
          socket.on("data", (chunk) => (text += String(chunk)));
          socket.on("close", () => resolve({ code: text.slice(9, 12), isResumed }));
          socket.write("GET /api/v1/namespaces/default HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        });
      expect(await ask()).toEqual({ code: "200", isResumed: false });
      expect(await ask()).toEqual({ code: "200", isResumed: true });
      await server.stop();
      await listener.close();
    });
});
