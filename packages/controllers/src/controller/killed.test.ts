import type { Pod } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { afterEach, describe, expect, it } from "vitest";
import { cronJobController } from "../cron-job/controller.js";
import { daemonSetController } from "../daemon-set/controller.js";
import { deploymentController } from "../deployment/controller.js";
import { jobController } from "../job/controller.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { replicaSetController } from "../replica-set/controller.js";
import { replicationControllerController } from "../replication-controller/controller.js";
import { statefulSetController } from "../stateful-set/controller.js";
import type { Controller } from "./controller.js";
import { startTestCluster, type TestCluster } from "./test-cluster.test.support.js";

const selector = { matchLabels: { app: "web" } };
const template = (image: string) => ({
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "c", image }] },
});
const metadata = { name: "web" };

interface Scenario {
  readonly name: string;
  readonly controllers: readonly Controller[];
  create(client: Client): Promise<unknown>;
  change(client: Client): Promise<unknown>;
  /** The images of the pods in the end. */
  readonly images: readonly string[];
  /** ReplicaSets or ControllerRevisions, whose names come from hashes, in the end. */
  readonly revisions: number;
  /** What happens in each life of the controllers besides. @default pods become ready */
  meanwhile?(cluster: TestCluster): Promise<void>;
  /** What else must be so in the end. */
  check?(client: Client): Promise<void>;
}

const scenarios: readonly Scenario[] = [
  {
    name: "ReplicaSet that grows and shrinks",
    controllers: [replicaSetController],
    create: (client) =>
      client.apps.v1
        .replicasets("default")
        .create({ metadata, spec: { replicas: 5, selector, template: template("one") } }),
    change: (client) => client.apps.v1.replicasets("default").patch("web", { merge: { spec: { replicas: 2 } } }),
    images: ["one", "one"],
    revisions: 1,
  },
  {
    name: "ReplicationController that grows",
    controllers: [replicationControllerController],
    create: (client) =>
      client.core.v1
        .replicationcontrollers("default")
        .create({ metadata, spec: { replicas: 2, selector: { app: "web" }, template: template("one") } }),
    change: (client) =>
      client.core.v1.replicationcontrollers("default").patch("web", { merge: { spec: { replicas: 3 } } }),
    images: ["one", "one", "one"],
    revisions: 0,
  },
  {
    name: "Deployment that rolls",
    controllers: [replicaSetController, deploymentController],
    create: (client) =>
      client.apps.v1
        .deployments("default")
        .create({ metadata, spec: { replicas: 3, selector, template: template("one") } }),
    change: (client) =>
      client.apps.v1.deployments("default").patch("web", { merge: { spec: { template: template("two") } } }),
    images: ["two", "two", "two"],
    revisions: 2,
  },
  {
    name: "StatefulSet that rolls",
    controllers: [statefulSetController],
    create: (client) =>
      client.apps.v1
        .statefulsets("default")
        .create({ metadata, spec: { replicas: 2, serviceName: "web", selector, template: template("one") } }),
    change: (client) =>
      client.apps.v1.statefulsets("default").patch("web", { merge: { spec: { template: template("two") } } }),
    images: ["two", "two"],
    revisions: 2,
  },
  {
    name: "DaemonSet that rolls",
    controllers: [daemonSetController],
    async create(client) {
      for (const name of ["a", "b"]) {
        await client.core.v1.nodes().create({ metadata: { name } });
        await client.core.v1.nodes().patch(name, { merge: { spec: { taints: null } } });
      }
      await client.apps.v1.daemonsets("default").create({ metadata, spec: { selector, template: template("one") } });
    },
    change: (client) =>
      client.apps.v1.daemonsets("default").patch("web", { merge: { spec: { template: template("two") } } }),
    images: ["two", "two"],
    revisions: 2,
  },
  {
    name: "Job that counts its pods",
    controllers: [jobController],
    create: (client) =>
      client.batch.v1.jobs("default").create({
        metadata,
        spec: {
          parallelism: 2,
          completions: 4,
          template: { spec: { ...template("one").spec, restartPolicy: "Never" } },
        },
      }),
    change: (client) => client.batch.v1.jobs("default").patch("web", { merge: { spec: { parallelism: 3 } } }),
    images: ["one", "one", "one", "one"],
    revisions: 0,
    async meanwhile(cluster) {
      await cluster.advance(1000);
      const running = (await podsIn(cluster.client)).find(({ status }) => status?.phase === "Pending");
      if (running)
        await cluster.client.core.v1
          .pods("default")
          .subresource<Pod>("status")
          .patch(running.metadata?.name ?? "", { merge: { status: { phase: "Succeeded" } } });
      await cluster.advance(1000);
    },
    async check(client) {
      const { status } = await client.batch.v1.jobs("default").get("web");
      expect(status).toMatchObject({ succeeded: 4, uncountedTerminatedPods: {}, completionTime: expect.any(String) });
      expect(status?.failed).toBeUndefined();
      expect((await podsIn(client)).flatMap(({ metadata: { finalizers = [] } = {} }) => finalizers)).toEqual([]);
    },
  },
  {
    name: "CronJob that starts each Job once",
    controllers: [cronJobController],
    create: (client) =>
      client.batch.v1.cronjobs("default").create({
        metadata,
        spec: {
          schedule: "*/10 * * * *",
          jobTemplate: { spec: { template: { spec: { ...template("one").spec, restartPolicy: "Never" } } } },
        },
      }),
    change: (client) => client.batch.v1.cronjobs("default").patch("web", { merge: { spec: { suspend: true } } }),
    images: [],
    revisions: 0,
    meanwhile: (cluster) => cluster.advance(150_000),
    async check(client) {
      const { status } = await client.batch.v1.cronjobs("default").get("web");
      const jobs = (await client.batch.v1.jobs("default").list()).items.map(({ metadata: { name } = {} }) => name);
      expect(jobs).toHaveLength(2);
      expect(status?.active?.map(({ name }) => name).sort()).toEqual(jobs.sort());
    },
  },
];

describe("controllers that are killed between their writes", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  /** Each life ends after one write, or after two, or after three. */
  const live = async (lives: number, { meanwhile = (all) => markPods(all) }: Scenario): Promise<void> => {
    for (let life = 0; life < lives; life++) {
      await cluster.restart();
      cluster.limitWrites(1 + (life % 3));
      await cluster.settle();
      await meanwhile(cluster);
    }
  };

  for (const scenario of scenarios)
    it(`bring about the same ${scenario.name}`, async () => {
      cluster = await startTestCluster({ controllers: scenario.controllers });
      cluster.limitWrites(0);
      await scenario.create(cluster.client);
      await cluster.settle();
      expect(await podsIn(cluster.client)).toEqual([]);
      await live(12, scenario);
      await scenario.change(cluster.client);
      await live(24, scenario);
      const { client } = cluster;
      const images = (await podsIn(client)).map(({ spec }) => spec?.containers[0]?.image).sort();
      expect(images).toEqual(scenario.images);
      const replicaSets = (await client.apps.v1.replicasets("default").list()).items;
      const revisions = (await client.apps.v1.controllerrevisions("default").list()).items;
      expect(replicaSets.length + revisions.length).toBe(scenario.revisions);
      await scenario.check?.(client);
    });
});
