import type { CronJob, Job } from "@coxswain/api/batch/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { cronJobController } from "./controller.js";

type Spec = Partial<NonNullable<CronJob["spec"]>>;
const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "c", image: "i" }] } };
const minuteMs = 60_000;

describe("the CronJob controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [cronJobController], settings: { localTimeZone: "UTC" } });
  });
  afterEach(() => cluster.stop());
  const cronJobs = () => cluster.client.batch.v1.cronjobs("default");
  const jobs = () => cluster.client.batch.v1.jobs("default");
  const create = async (spec: Spec = {}): Promise<void> => {
    const jobTemplate = { spec: { template } };
    await cronJobs().create({ metadata: { name: "cron" }, spec: { schedule: "*/5 * * * *", jobTemplate, ...spec } });
    await cluster.settle();
  };
  const names = async () => (await jobs().list()).items.map(({ metadata }) => metadata?.name ?? "").sort();
  const nameAt = (minutes: number): string => `cron-${Date.UTC(2026, 0, 1) / minuteMs + minutes}`;
  const events = async () =>
    (await cluster.client.core.v1.events("default").list()).items.map(({ reason, message }) => `${reason}: ${message}`);
  /** Ends a Job as its controller would. */
  const finish = async (name: string, type: "Complete" | "Failed"): Promise<void> => {
    const time = formatTime(cluster.clock.now());
    const interim = type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget";
    const conditions = [interim, type].map((each) => ({ type: each, status: "True", lastTransitionTime: time }));
    const status = { conditions, startTime: time, ...(type === "Complete" && { completionTime: time }) };
    await jobs().subresource<Job>("status").patch(name, { merge: { status } });
    await cluster.settle();
  };

  it("creates a Job at each time, once, also after a restart", async () => {
    await create();
    expect(await names()).toEqual([]);
    await cluster.advance(5 * minuteMs + 1000);
    expect(await names()).toEqual([nameAt(5)]);
    await cluster.restart();
    await cluster.advance(5 * minuteMs);
    expect(await names()).toEqual([nameAt(5), nameAt(10)]);
    const { status } = await cronJobs().get("cron");
    expect(status?.active?.map(({ name }) => name)).toEqual([nameAt(5), nameAt(10)]);
    expect(status?.lastScheduleTime).toBe("2026-01-01T00:10:00Z");
    expect(await events()).toContain(`SuccessfulCreate: Created job ${nameAt(5)}`);
  });

  it("keeps as many finished Jobs as its history may have", async () => {
    await create({ successfulJobsHistoryLimit: 1 });
    for (const minutes of [5, 10]) {
      await cluster.advance(5 * minuteMs + 1000);
      await finish(nameAt(minutes), "Complete");
    }
    expect(await names()).toEqual([nameAt(10)]);
    const { status } = await cronJobs().get("cron");
    expect(status?.active).toBeUndefined();
    expect(status?.lastSuccessfulTime).toBe("2026-01-01T00:10:02Z");
    expect(await events()).toEqual(
      expect.arrayContaining([
        `SawCompletedJob: Saw completed job: ${nameAt(5)}, condition: Complete`,
        `SuccessfulDelete: Deleted job ${nameAt(5)}`,
      ]),
    );
  });

  it("waits for the Job before where concurrency is forbidden", async () => {
    await create({ concurrencyPolicy: "Forbid" });
    await cluster.advance(11 * minuteMs);
    expect(await names()).toEqual([nameAt(5)]);
    expect((await events()).some((event) => event.startsWith("JobAlreadyActive"))).toBe(true);
    await finish(nameAt(5), "Failed");
    await cluster.settle();
    expect(await names()).toEqual([nameAt(5), nameAt(10)].sort());
  });

  it("deletes the Job before where it is to be replaced", async () => {
    await create({ concurrencyPolicy: "Replace" });
    await cluster.advance(11 * minuteMs);
    expect(await names()).toEqual([nameAt(10)]);
    expect((await cronJobs().get("cron")).status?.active?.map(({ name }) => name)).toEqual([nameAt(10)]);
  });

  it("does nothing while it is suspended, and notes Jobs that went missing", async () => {
    await create();
    await cluster.advance(6 * minuteMs);
    await cronJobs().patch("cron", { merge: { spec: { suspend: true } } });
    await jobs().delete(nameAt(5), { propagationPolicy: "Background" });
    await cluster.advance(20 * minuteMs);
    expect(await names()).toEqual([]);
    expect((await cronJobs().get("cron")).status?.active).toBeUndefined();
    expect(await events()).toContain(`MissingJob: Active job went missing: ${nameAt(5)}`);
  });

  it("follows a changed schedule", async () => {
    await create({ schedule: "0 0 1 1 *" });
    await cronJobs().patch("cron", { merge: { spec: { schedule: "*/2 * * * *" } } });
    await cluster.advance(2 * minuteMs + 1000);
    expect(await names()).toEqual([nameAt(2)]);
  });
});
