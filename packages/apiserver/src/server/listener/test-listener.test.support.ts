import { mkdtempSync, rmSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificates } from "@coxswain/component/certificates";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { startApiServer } from "../compose/api-server.js";
import { createInProcessClient } from "../in-process/in-process-client.js";
import type { LimitOptions } from "../requests/limit-options.js";
import { type ListenOptions, listen } from "./listener.js";

/** A server on a port of its own, with what a client needs to reach it. */
export async function startTestListener(options: Pick<ListenOptions, "http1Limits"> = {}, limits: LimitOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-listener-"));
  const certificates = ensureCertificates(directory, { clock: systemClock, random: systemRandom });
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    limits,
  });
  const transport = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
  let executing = 0;
  let maxExecuting = 0;
  const listener = await listen(
    {
      port: 0,
      certificate: certificates.server.certificate,
      key: certificates.server.key,
      clientAuthority: certificates.ca.certificate,
      runtime: systemRuntime(),
      ...options,
    },
    (request, sink) => {
      executing += 1;
      maxExecuting = Math.max(maxExecuting, executing);
      void Promise.resolve(server.serve(request, sink)).then(() => (executing -= 1));
    },
  );
  const tls = (asAdmin = true) => ({
    ca: certificates.ca.certificate,
    ...(asAdmin ? { cert: certificates.admin.certificate, key: certificates.admin.key } : {}),
  });
  return {
    port: listener.port,
    /** Requests under way. */
    executing: () => executing,
    maxExecuting: () => maxExecuting,
    /** Creates this many megabytes of ConfigMaps. */
    async fill(megabytes: number): Promise<void> {
      for (let at = 0; at < megabytes; at++)
        await transport.request({
          method: "POST",
          path: "/api/v1/namespaces/default/configmaps",
          body: {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: `c${at}` },
            data: { d: "x".repeat(1_000_000) },
          },
        });
    },
    tls,
    session(): ClientHttp2Session {
      const session = connectHttp2(`https://127.0.0.1:${listener.port}`, tls());
      session.on("error", () => {});
      return session;
    },
    cut: () => listener.cut(),
    async stop() {
      listener.stopAccepting();
      await server.stop();
      await listener.close();
      rmSync(directory, { recursive: true });
    },
  };
}
