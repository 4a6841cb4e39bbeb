import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiServer, listen } from "@coxswain/apiserver";
import { ensureCertificates } from "@coxswain/component/certificates";
import { writeKubeconfig } from "@coxswain/component/kubeconfig";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";

/** A server behind a port of loopback. */
export interface ServedCluster {
  /** The path of an administrator's kubeconfig. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Serves a cluster by HTTPS, for programs in other processes. `server` is asked for each request: a restored cluster has another one. */
export async function serveCluster(server: () => Pick<ApiServer, "serve">): Promise<ServedCluster> {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-testkit-"));
  const certificates = ensureCertificates(folder, { clock: systemClock, random: systemRandom });
  const listener = await listen(
    {
      port: 0,
      certificate: certificates.server.certificate,
      key: certificates.server.key,
      clientAuthority: certificates.ca.certificate,
      runtime: systemRuntime(),
    },
    (request, sink) => void server().serve(request, sink),
  );
  const kubeconfig = join(folder, "kubeconfig");
  writeKubeconfig(kubeconfig, {
    server: `https://127.0.0.1:${listener.port}`,
    certificateAuthority: certificates.ca.certificate,
    clientCertificate: certificates.admin.certificate,
    clientKey: certificates.admin.key,
  });
  return {
    kubeconfig,
    async stop() {
      listener.stopAccepting();
      listener.cut();
      await listener.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
