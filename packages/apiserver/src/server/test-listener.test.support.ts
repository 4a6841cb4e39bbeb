import { mkdtempSync, rmSync } from "node:fs";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@coxswain/apimachinery/clock";
import { systemRandom } from "@coxswain/apimachinery/random";
import { ensureCertificates } from "@coxswain/component/certificates";
import { createMemoryStore } from "@coxswain/storage/memory";
import { startApiServer } from "./api-server.js";
import { listen } from "./listener.js";

/** A server on a port of its own, with what a client needs to reach it. */
export async function startTestListener() {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-listener-"));
  const certificates = ensureCertificates(directory, { clock: systemClock, random: systemRandom });
  const server = await startApiServer({ store: createMemoryStore({ clock: systemClock }) });
  const listener = await listen(
    {
      port: 0,
      certificate: certificates.server.certificate,
      key: certificates.server.key,
      clientAuthority: certificates.ca.certificate,
      ioClock: systemClock,
    },
    (request, sink) => void server.serve(request, sink),
  );
  const tls = (asAdmin = true) => ({
    ca: certificates.ca.certificate,
    ...(asAdmin ? { cert: certificates.admin.certificate, key: certificates.admin.key } : {}),
  });
  return {
    port: listener.port,
    tls,
    session(): ClientHttp2Session {
      const session = connectHttp2(`https://127.0.0.1:${listener.port}`, tls());
      session.on("error", () => {});
      return session;
    },
    async stop() {
      listener.stopAccepting();
      await server.stop();
      await listener.close();
      rmSync(directory, { recursive: true });
    },
  };
}
