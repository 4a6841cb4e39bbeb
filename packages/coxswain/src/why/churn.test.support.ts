import type { StoryCluster } from "./story-cluster.test.support.js";

/** Work for most controllers at the same time: workloads of all kinds with services, made, scaled, rolled and deleted. */
export async function churn(
  { client, runtime }: Pick<StoryCluster, "client" | "runtime">,
  { copies, namespace }: { readonly copies: number; readonly namespace: string },
): Promise<void> {
  const all = Array.from({ length: copies }, (_, at) => at);
  const { deployments, statefulsets, daemonsets } = client.apps.v1;
  const template = (app: string, image = "nginx") => ({
    metadata: { labels: { app } },
    spec: { terminationGracePeriodSeconds: 1, containers: [{ name: "c", image }] },
  });
  const workload = (app: string) => ({ selector: { matchLabels: { app } }, template: template(app) });
  await client.core.v1.namespaces().create({ metadata: { name: namespace } });
  await runtime.clock.advance(1000);
  await Promise.all(
    all.flatMap((at): Promise<unknown>[] => [
      deployments(namespace).create({ metadata: { name: `d${at}` }, spec: { replicas: 3, ...workload(`d${at}`) } }),
      statefulsets(namespace).create({
        metadata: { name: `s${at}` },
        spec: { replicas: 2, serviceName: `s${at}`, ...workload(`s${at}`) },
      }),
      ...(at === 0 ? [daemonsets(namespace).create({ metadata: { name: "every" }, spec: workload("every") })] : []),
      client.batch.v1.jobs(namespace).create({
        metadata: { name: `j${at}` },
        spec: {
          completions: 2,
          parallelism: 2,
          template: {
            spec: { restartPolicy: "Never", containers: [{ name: "c", image: "busybox", command: ["true"] }] },
          },
        },
      }),
      ...["d", "s"].map((kind) =>
        client.core.v1.services(namespace).create({
          metadata: { name: `${kind}${at}` },
          spec: { ports: [{ port: 80 }], selector: { app: `${kind}${at}` } },
        }),
      ),
    ]),
  );
  await runtime.clock.advance(20_000);
  const next = { spec: { replicas: 2, template: { spec: { containers: [{ name: "c", image: "nginx:2" }] } } } };
  await Promise.all(
    all.flatMap((at) => [
      deployments(namespace).patch(`d${at}`, { strategic: next }),
      statefulsets(namespace).patch(`s${at}`, { strategic: next }),
    ]),
  );
  await runtime.clock.advance(60_000);
  await client.core.v1.namespaces().delete(namespace);
  await runtime.clock.advance(60_000);
}
