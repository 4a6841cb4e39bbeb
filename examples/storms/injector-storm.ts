// The sidecar injector in a storm: its certificates are written through it, and no pod may pass without its sidecar.
import type { Pod } from "@coxswain/api/core/v1";
import { systemClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import { type Program, startCluster } from "@coxswain/testkit";
import { configureInjector, createInjectorProgram } from "../sidecar-injector/injector-program.js";
import { blow, supervise } from "./blow.js";

export interface InjectorOutcome {
  /** Pods that asked for a sidecar and have none. */
  readonly without: readonly string[];
  /** Whether the last pod, created when all was calm again, has one. */
  readonly last: boolean;
}

export const pod = (name: string): Pod => ({
  metadata: { name, annotations: { "example.com/ship-logs": "true" } },
  spec: { containers: [{ name: "web", image: "nginx" }] },
});
export const hasSidecar = ({ spec }: Pod): boolean =>
  (spec?.initContainers ?? []).some(({ name }) => name === "log-shipper");

export async function injectorInAStorm(seed: number): Promise<InjectorOutcome> {
  const random = createSeededRandom(`injector ${seed}`);
  // By the time of day: certificates are checked against it.
  const cluster = await startCluster({ seed, nodes: 0, controllers: [], startMs: systemClock.now() });
  const storm = cluster.storm();
  let injector: Program | undefined;
  const program = createInjectorProgram((manager) => supervise(manager, () => injector?.crash()));
  injector = await cluster.run("injector", program.start, { through: storm.through });
  await cluster.clock.advanceUntil(() => program.port() !== 0, "10m");
  await configureInjector(cluster, program.port());
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
