import type { Job } from "@coxswain/api/batch/v1";
import type { Pod } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { jobController } from "./controller.js";
import { trackingFinalizer } from "./job-state.js";

type Spec = Partial<NonNullable<Job["spec"]>>;
const job = (spec: Spec = {}): Job => ({
  metadata: { name: "work" },
  spec: {
    template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
    ...spec,
  },
});

describe("the Job controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const jobs = () => cluster.client.batch.v1.jobs("default");
  const pods = () => cluster.client.core.v1.pods("default");
  const start = async (spec: Spec = {}): Promise<void> => {
    cluster = await startTestCluster({ controllers: [jobController] });
    await jobs().create(job(spec));
    await cluster.settle();
  };
  /** Ends pods as a kubelet would. */
  const end = async (
    phase: "Succeeded" | "Failed",
    { count = Number.POSITIVE_INFINITY, exitCode = 1 }: { count?: number; exitCode?: number } = {},
  ): Promise<void> => {
    const time = formatTime(cluster.clock.now());
    const running = (await podsIn(cluster.client)).filter(
      ({ status }) => status?.phase === "Pending" || status?.phase === "Running",
    );
    for (const { metadata } of running.slice(0, count)) {
      const terminated = { exitCode: phase === "Failed" ? exitCode : 0, startedAt: time, finishedAt: time };
      const containerStatuses = [
        { name: "c", image: "i", imageID: "", ready: false, restartCount: 0, state: { terminated } },
      ];
      await pods()
        .subresource<Pod>("status")
        .patch(metadata?.name ?? "", { merge: { status: { phase, containerStatuses } } });
    }
    await cluster.advance(3000);
  };
  const status = async () => (await jobs().get("work")).status;
  const conditions = async () =>
    (await status())?.conditions?.map((condition) => `${condition.type}=${condition.status} ${condition.reason}`);
  const events = async () =>
    (await cluster.client.core.v1.events("default").list()).items.map(({ reason, message }) => `${reason}: ${message}`);
  const names = async () => (await podsIn(cluster.client)).map(({ metadata }) => metadata?.name ?? "");

  it("runs as many pods as it should until enough have succeeded", async () => {
    await start({ completions: 3, parallelism: 2 });
    const created = await podsIn(cluster.client);
    expect(created).toHaveLength(2);
    expect(created[0]?.metadata?.finalizers).toEqual([trackingFinalizer]);
    expect(created[0]?.metadata?.labels).toMatchObject({ "batch.kubernetes.io/job-name": "work" });
    await markPods(cluster);
    await cluster.advance(2000);
    expect(await status()).toMatchObject({ active: 2, ready: 2, terminating: 0, startTime: "2026-01-01T00:00:00Z" });
    await end("Succeeded");
    expect(await status()).toMatchObject({ active: 1, succeeded: 2, uncountedTerminatedPods: {} });
    await end("Succeeded");
    expect(await conditions()).toEqual([
      "SuccessCriteriaMet=True CompletionsReached",
      "Complete=True CompletionsReached",
    ]);
    expect(await status()).toMatchObject({ succeeded: 3, ready: 0, completionTime: expect.any(String) });
    expect((await podsIn(cluster.client)).flatMap(({ metadata }) => metadata?.finalizers ?? [])).toEqual([]);
    expect(await events()).toContain("Completed: Job completed");
  });

  it("replaces failed pods later each time, up to the limit", async () => {
    await start({ backoffLimit: 1 });
    await end("Failed");
    expect(await status()).toMatchObject({ failed: 1 });
    expect(await names()).toHaveLength(1);
    await cluster.advance(10_000);
    expect(await names()).toHaveLength(2);
    await end("Failed");
    expect(await conditions()).toEqual(["FailureTarget=True BackoffLimitExceeded", "Failed=True BackoffLimitExceeded"]);
    expect(await events()).toContain("BackoffLimitExceeded: Job has reached the specified backoff limit");
    await cluster.advance(600_000);
    expect(await names()).toHaveLength(2);
  });

  it("gives pods of an indexed Job their index", async () => {
    await start({ completionMode: "Indexed", completions: 3, parallelism: 2 });
    const [first, second] = (await podsIn(cluster.client)).toSorted((a, b) =>
      (a.metadata?.name ?? "") < (b.metadata?.name ?? "") ? -1 : 1,
    );
    expect([first?.metadata?.name, second?.metadata?.name]).toEqual([
      expect.stringMatching(/^work-0-/),
      expect.stringMatching(/^work-1-/),
    ]);
    expect(second?.spec?.hostname).toBe("work-1");
    expect(second?.metadata?.annotations).toMatchObject({ "batch.kubernetes.io/job-completion-index": "1" });
    expect(second?.spec?.containers[0]?.env?.[0]).toMatchObject({ name: "JOB_COMPLETION_INDEX" });
    await end("Succeeded");
    expect(await status()).toMatchObject({ succeeded: 2, completedIndexes: "0,1" });
    await end("Succeeded");
    expect(await status()).toMatchObject({ succeeded: 3, completedIndexes: "0-2" });
    expect(await conditions()).toContain("Complete=True CompletionsReached");
  });

  it("counts failures per index", async () => {
    await start({ completionMode: "Indexed", completions: 2, parallelism: 1, backoffLimitPerIndex: 1 });
    await end("Failed");
    await cluster.advance(10_000);
    const replacement = (await podsIn(cluster.client)).find(({ status: { phase } = {} }) => phase === "Pending");
    expect(replacement?.metadata?.annotations).toMatchObject({ "batch.kubernetes.io/job-index-failure-count": "1" });
    await end("Failed");
    expect(await status()).toMatchObject({ failedIndexes: "0" });
    await end("Succeeded");
    expect(await conditions()).toEqual(["FailureTarget=True FailedIndexes", "Failed=True FailedIndexes"]);
    expect(await status()).toMatchObject({ failedIndexes: "0", completedIndexes: "1", failed: 2, succeeded: 1 });
  });

  it("fails at once by its failure policy", async () => {
    const rule = { action: "FailJob" as const, onExitCodes: { operator: "In" as const, values: [42] } };
    await start({ parallelism: 2, completions: 2, podFailurePolicy: { rules: [rule] } });
    await end("Failed", { count: 1, exitCode: 42 });
    const [name] = (await podsIn(cluster.client)).map(({ metadata }) => metadata?.name);
    expect((await status())?.conditions?.[0]).toMatchObject({
      type: "FailureTarget",
      message: `Container c for pod default/${name} failed with exit code 42 matching FailJob rule at index 0`,
    });
    await cluster.advance(5000);
    expect(await conditions()).toEqual(["FailureTarget=True PodFailurePolicy", "Failed=True PodFailurePolicy"]);
  });

  it("deletes pods while it is suspended, and starts anew when it is resumed", async () => {
    await start({ parallelism: 2, activeDeadlineSeconds: 100 });
    await cluster.advance(50_000);
    await jobs().patch("work", { merge: { spec: { suspend: true } } });
    await cluster.advance(3000);
    expect(await names()).toEqual([]);
    expect(await conditions()).toEqual(["Suspended=True JobSuspended"]);
    expect((await status())?.startTime).toBeUndefined();
    await cluster.advance(100_000);
    await jobs().patch("work", { merge: { spec: { suspend: false } } });
    await cluster.advance(3000);
    expect(await names()).toHaveLength(2);
    expect(await conditions()).toEqual(["Suspended=False JobResumed"]);
    expect((await status())?.startTime).toBe("2026-01-01T00:02:33Z");
    await cluster.advance(101_000);
    expect(await conditions()).toContain("Failed=True DeadlineExceeded");
    expect(await events()).toEqual(expect.arrayContaining(["Suspended: Job suspended", "Resumed: Job resumed"]));
  });

  it("is not touched when another controller manages it", async () => {
    await start({ managedBy: "example.com/other" });
    expect(await names()).toEqual([]);
    expect(await status()).toEqual({});
  });

  it("takes the finalizer from pods of a Job that is gone", async () => {
    await start();
    await jobs().delete("work", { propagationPolicy: "Background" });
    await cluster.settle();
    expect((await podsIn(cluster.client)).flatMap(({ metadata }) => metadata?.finalizers ?? [])).toEqual([]);
  });

  it("adopts pods that its selector matches", async () => {
    cluster = await startTestCluster({ controllers: [jobController] });
    await pods().create({
      metadata: { name: "stray", labels: { app: "work" } },
      spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] },
    });
    const template = { metadata: { labels: { app: "work" } }, spec: job().spec?.template.spec ?? { containers: [] } };
    await jobs().create(job({ manualSelector: true, selector: { matchLabels: { app: "work" } }, template }));
    await cluster.advance(2000);
    expect(await names()).toEqual(["stray"]);
    expect((await pods().get("stray")).metadata).toMatchObject({
      finalizers: [trackingFinalizer],
      ownerReferences: [{ kind: "Job", name: "work", controller: true }],
    });
  });
});
