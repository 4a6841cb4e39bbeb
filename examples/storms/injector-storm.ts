// The sidecar injector in a storm: its certificates are written through it, and no pod may pass without its sidecar.
import type { Pod } from "@coxswain/api/core/v1";
import { systemClock } from "@coxswain/apimachinery/clock";
import { createSeededRandom } from "@coxswain/apimachinery/random";
import { builtIn, createManager, webhookPath } from "@coxswain/operator";
import { managedCertificates, nodeServers } from "@coxswain/operator/node";
import { type Program, startCluster, type TestCluster } from "@coxswain/testkit";
import { addInjector } from "../sidecar-injector/sidecar-injector.js";
import { blow, supervise } from "./blow.js";

export interface InjectorOutcome {
  /** Pods that asked for a sidecar and have none. */
  readonly without: readonly string[];
  /** Whether the last pod, created when all was calm again, has one. */
  readonly last: boolean;
}

const pod = (name: string): Pod => ({
  metadata: { name, annotations: { "example.com/ship-logs": "true" } },
  spec: { containers: [{ name: "web", image: "nginx" }] },
});
const hasSidecar = ({ spec }: Pod): boolean => (spec?.initContainers ?? []).some(({ name }) => name === "log-shipper");

export async function injectorInAStorm(seed: number): Promise<InjectorOutcome> {
  const random = createSeededRandom(`injector ${seed}`);
  // By the time of day: certificates are checked against it.
  const cluster = await startCluster({ seed, nodes: 0, controllers: [], startMs: systemClock.now() });
  const storm = cluster.storm();
  let port = 0;
  let injector: Program | undefined;
  injector = await cluster.run(
    "injector",
    async (client, world) => {
      const certificates = managedCertificates({
        client,
        clock: world.clock,
        namespace: "default",
        secret: "injector-tls",
        service: "injector",
        hosts: ["127.0.0.1"],
        intervalMs: 60_000,
        inject: { mutating: ["injector"] },
      });
      const sockets = nodeServers();
      const servers = {
        async listen(options: Parameters<typeof sockets.listen>[0]) {
          const running = await sockets.listen(options);
          port = running.port;
          return running;
        },
      };
      const webhooks = { address: `127.0.0.1:${port}`, certificates };
      const manager = createManager({ client, ...world, servers, webhooks });
      addInjector(manager, "shipper:1");
      return supervise(manager, () => injector?.crash());
    },
    { through: storm.through },
  );
  await cluster.clock.advanceUntil(() => port !== 0, "10m");
  await configure(cluster, port);
  // No controller runs that makes it.
  await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
  const pods = cluster.client.core.v1.pods("default");
  // Refused while the injector cannot be reached: that is what failurePolicy Fail is for.
  const edit = (n: number): Promise<unknown> => pods.create(pod(`pod-${n}`)).catch(() => undefined);
  await blow({ cluster, storm, random, edit, programs: [{ ...noPause, crash: () => injector?.crash() }] });
  storm.calm();
  await cluster.clock.advance("3m");
  // The first call may still go to a connection of a program that was killed.
  await pods.create(pod("last")).catch(() => pods.create(pod("last")));
  const all = (await pods.list()).items;
  await cluster.stop();
  const without = all.filter((each) => !hasSidecar(each)).map(({ metadata }) => metadata?.name ?? "");
  return { without, last: all.some((each) => each.metadata?.name === "last" && hasSidecar(each)) };
}

/** Its sockets are real: time that stands still for them is not this clock's. */
const noPause = { pause: () => {}, resume: () => {} };

const configure = ({ client }: TestCluster, port: number): Promise<unknown> =>
  client.admissionregistration.v1.mutatingwebhookconfigurations().create({
    metadata: { name: "injector" },
    webhooks: [
      {
        name: "mutate.example.com",
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] }],
        sideEffects: "None",
        failurePolicy: "Fail",
        admissionReviewVersions: ["v1"],
        clientConfig: { url: `https://127.0.0.1:${port}${webhookPath("mutate", builtIn.core.v1.pods)}` },
      },
    ],
  });
