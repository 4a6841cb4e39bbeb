import type { Pod } from "@coxswain/api/core/v1";
import { systemClock } from "@coxswain/runtime/clock";
import { startCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";
import { configureInjector, createInjectorProgram } from "./injector-program.js";
import { injectSidecar } from "./sidecar-injector.js";

const annotations = { "example.com/ship-logs": "true" };
const pod = (name: string, more: Partial<NonNullable<Pod["metadata"]>> = {}, container = "web"): Pod => ({
  metadata: { name, ...more },
  spec: { containers: [{ name: container, image: "nginx" }] },
});

it("injects once, and only where it was asked for", () => {
  const plain = pod("plain");
  injectSidecar(plain, "shipper:1");
  expect(plain).toEqual(pod("plain"));
  const asking = pod("asking", { annotations });
  injectSidecar(asking, "shipper:1");
  const once = structuredClone(asking);
  injectSidecar(asking, "shipper:1");
  expect(asking).toEqual(once);
  expect(once.spec?.initContainers).toHaveLength(1);
});

it("pods get their sidecar from the API server on, also while its requests fail and it is started again", async () => {
  // By the time of day: certificates are checked against it.
  const cluster = await startCluster({ seed: 1, nodes: 1, startMs: systemClock.now() });
  const { client, clock, faults } = cluster;
  // Secrets are written through conflicts and lost answers.
  faults.add({ fault: "lostAnswer", verb: "create", resource: "secrets", nth: 1 });
  faults.add({ fault: "conflict", verb: "update", resource: "mutatingwebhookconfigurations", nth: 1 });
  faults.add({ fault: "internalError", verb: "get", resource: "secrets", nth: 3 });
  const program = createInjectorProgram(async (manager) => {
    void manager.start().catch(() => {}); // a killed program has nobody to report to
    await manager.started;
    return manager;
  });
  const injector = await cluster.run("injector", program.start);
  await configureInjector(cluster, program.port());
  // The certificates are looked at every minute: the authority is injected then, at the third try.
  await clock.advance("4m");

  const pods = client.core.v1.pods("default");
  const containers = async (name: string): Promise<(string | undefined)[]> => {
    const { spec } = await pods.get(name);
    return [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map((each) => each.name);
  };
  await pods.create(pod("plain"));
  await pods.create(pod("asking", { annotations }));
  await expect(pods.create(pod("rude", {}, "log-shipper"))).rejects.toThrow("is taken by the injector");
  await injector.crash();
  // The first call may still go to the connection that the killed program had.
  await pods.create(pod("later", { annotations })).catch(() => pods.create(pod("later", { annotations })));
  expect(await containers("plain")).toEqual(["web"]);
  expect(await containers("asking")).toEqual(["log-shipper", "web"]);
  expect(await containers("later")).toEqual(["log-shipper", "web"]);
  await clock.advance("10s");
  expect((await pods.get("later")).status?.phase).toBe("Running");
  await cluster.stop();
}, 120_000);
