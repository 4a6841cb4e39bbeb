import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServerOptions, listen, startApiServer } from "@coxswain/apiserver";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { createCertificates } from "@coxswain/tools/upstream";

/** Coxswain's server on a port of loopback, and what an administrator needs to reach it. PEM. */
export interface ServerUnderTest {
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  stop(): Promise<void>;
}

export async function startOurServer(options: Partial<ApiServerOptions> = {}): Promise<ServerUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-client-"));
  const files = await createCertificates(folder);
  const apiServer = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    admission: { disabled: ["ServiceAccount"] },
    ...options,
  });
  const listener = await listen(
    {
      port: 0,
      certificate: await readFile(files.serverCertificate, "utf8"),
      key: await readFile(files.serverKey, "utf8"),
      clientAuthority: files.admin.certificateAuthority,
      runtime: systemRuntime(),
    },
    (request, sink) => void apiServer.serve(request, sink),
  );
  return {
    server: `https://127.0.0.1:${listener.port}`,
    ca: files.admin.certificateAuthority,
    cert: files.admin.clientCertificate as string,
    key: files.admin.clientKey as string,
    async stop() {
      listener.stopAccepting();
      await apiServer.stop();
      await listener.close();
      await rm(folder, { recursive: true });
    },
  };
}
