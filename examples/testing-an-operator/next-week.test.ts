// A CronJob of next week, today: time is virtual, and stretches in which nothing happens are passed over.
import { withCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";

it(
  "runs every Monday at three, and its pod succeeds",
  withCluster(async ({ client, clock }) => {
    const container = { name: "main", image: "busybox", command: ["true"] };
    const template = { spec: { restartPolicy: "Never" as const, containers: [container] } };
    await client.batch.v1.cronjobs("default").create({
      metadata: { name: "weekly" },
      spec: { schedule: "0 3 * * 1", jobTemplate: { spec: { template } } },
    });
    await clock.advance("7d"); // from Thursday, 2026-01-01
    const { items } = await client.batch.v1.jobs("default").list();
    expect(items.map(({ metadata, status }) => [metadata?.creationTimestamp, status?.succeeded])).toEqual([
      ["2026-01-05T03:00:00Z", 1],
    ]);
  }),
  60_000,
);
