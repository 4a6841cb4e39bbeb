// The injector as a program of a test's cluster: with real sockets, since API servers call webhooks, and certificates of its own.
import { builtIn, createManager, type Manager, webhookPath } from "@coxswain/operator";
import { managedCertificates, nodeServers } from "@coxswain/operator/node";
import type { RunningProgram, StartProgram, TestCluster } from "@coxswain/testkit";
import { addInjector } from "./sidecar-injector.js";

export interface InjectorProgram {
  readonly start: StartProgram;
  /** 0 until it listens. It stays the same when the program is started again. */
  readonly port: () => number;
}

/** `run` starts the manager, and knows what to do when it ends. */
export function createInjectorProgram(
  run: (manager: Manager) => RunningProgram | Promise<RunningProgram>,
): InjectorProgram {
  let port = 0;
  const sockets = nodeServers();
  const servers = {
    async listen(options: Parameters<typeof sockets.listen>[0]) {
      const running = await sockets.listen(options);
      port = running.port;
      return running;
    },
  };
  return {
    port: () => port,
    start(client, world) {
      const certificates = managedCertificates({
        client,
        runtime: world.runtime,
        namespace: "default",
        secret: "injector-tls",
        service: "injector",
        hosts: ["127.0.0.1"],
        intervalMs: 60_000,
        inject: { mutating: ["injector"], validating: ["injector"] },
      });
      const webhooks = { address: `127.0.0.1:${port}`, certificates };
      const manager = createManager({ client, ...world, servers, webhooks });
      addInjector(manager, "shipper:1");
      return run(manager);
    },
  };
}

/** What `coxswain operator generate` would write. Without a service account no pod is created, and no controller makes one here. */
export async function configureInjector({ client }: TestCluster, port: number): Promise<void> {
  const hook = (action: "mutate" | "validate") => ({
    name: `${action}.example.com`,
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE" as const] }],
    sideEffects: "None" as const,
    failurePolicy: "Fail" as const,
    admissionReviewVersions: ["v1"],
    clientConfig: { url: `https://127.0.0.1:${port}${webhookPath(action, builtIn.core.v1.pods)}` },
  });
  const { mutatingwebhookconfigurations, validatingwebhookconfigurations } = client.admissionregistration.v1;
  await mutatingwebhookconfigurations().create({ metadata: { name: "injector" }, webhooks: [hook("mutate")] });
  await validatingwebhookconfigurations().create({ metadata: { name: "injector" }, webhooks: [hook("validate")] });
}
