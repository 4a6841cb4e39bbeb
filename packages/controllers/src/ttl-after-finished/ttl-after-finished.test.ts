import type { Job } from "@coxswain/api/batch/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { ttlAfterFinishedController } from "./controller.js";
import { expiryOf } from "./plan.js";

const now = Date.UTC(2026, 0, 1);

describe("when a Job is to be deleted", () => {
  const job = (
    ttl: number | undefined,
    condition?: { type: "Complete" | "Failed" | "Suspended"; status?: "False"; at?: number },
  ): Job => ({
    metadata: { namespace: "ns", name: "j" },
    spec: { template: {}, ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) },
    status: condition
      ? {
          conditions: [
            {
              type: condition.type,
              status: condition.status ?? "True",
              ...(condition.at !== undefined && { lastTransitionTime: formatTime(condition.at) }),
            },
          ],
        }
      : {},
  });
  const rows: { name: string; job: Job; at: number | undefined }[] = [
    { name: "never, without a time to live", job: job(undefined, { type: "Complete", at: now }), at: undefined },
    { name: "not before it is over", job: job(10), at: undefined },
    { name: "not when it is only suspended", job: job(10, { type: "Suspended", at: now }), at: undefined },
    { name: "some time after it succeeded", job: job(10, { type: "Complete", at: now }), at: now + 10_000 },
    { name: "some time after it failed", job: job(0, { type: "Failed", at: now }), at: now },
    {
      name: "not by a condition that is false",
      job: job(10, { type: "Failed", status: "False", at: now }),
      at: undefined,
    },
    {
      name: "not again",
      job: { ...job(0, { type: "Failed", at: now }), metadata: { deletionTimestamp: formatTime(now) } },
      at: undefined,
    },
  ];
  for (const row of rows) it(row.name, () => expect(expiryOf(row.job)).toBe(row.at));
  it("cannot be known where no condition has the time", () =>
    expect(() => expiryOf(job(10, { type: "Complete" }))).toThrow(
      "unable to find the time when the Job ns/j finished",
    ));
});

describe("the TTL-after-finished controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [ttlAfterFinishedController] });
  });
  afterEach(() => cluster.stop());
  const jobs = () => cluster.client.batch.v1.jobs("default");
  const finish = async (ttlSecondsAfterFinished: number): Promise<void> => {
    const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "c", image: "i" }] } };
    await jobs().create({ metadata: { name: "work" }, spec: { ttlSecondsAfterFinished, template } });
    const lastTransitionTime = formatTime(cluster.clock.now());
    const conditions = (["FailureTarget", "Failed"] as const).map((type) => ({
      type,
      status: "True",
      lastTransitionTime,
    }));
    await jobs()
      .subresource<Job>("status")
      .patch("work", { merge: { status: { startTime: lastTransitionTime, conditions } } });
    await cluster.settle();
  };
  const deletion = async () => (await jobs().get("work")).metadata?.deletionTimestamp;

  it("deletes a Job in the foreground when its time has come", async () => {
    await finish(60);
    await cluster.advance(59_000);
    expect(await deletion()).toBeUndefined();
    await cluster.advance(1_000);
    expect(await deletion()).toBeDefined();
    expect((await jobs().get("work")).metadata?.finalizers).toContain("foregroundDeletion");
  });

  it("waits longer where somebody gives it more time", async () => {
    await finish(60);
    await cluster.advance(30_000);
    await jobs().patch("work", { merge: { spec: { ttlSecondsAfterFinished: 120 } } });
    await cluster.advance(60_000);
    expect(await deletion()).toBeUndefined();
    await cluster.advance(31_000);
    expect(await deletion()).toBeDefined();
  });
});
