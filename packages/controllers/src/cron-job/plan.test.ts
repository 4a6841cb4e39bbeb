import type { CronJob } from "@coxswain/api/batch/v1";
import { parseCronSchedule } from "@coxswain/apimachinery/cron";
import { formatTime } from "@coxswain/apimachinery/time";
import { describe, expect, it } from "vitest";
import type { CachedJob } from "../job/job-state.js";
import { jobFromTemplate, scheduleOf, timeZoneProblem } from "./cron-job-state.js";
import { nextDueIn, planHistory, planSchedule, type ScheduleInputs } from "./plan.js";
import { planActive } from "./plan-active.js";

/** "10:00" on January 1; "2 10:00" on January 2. */
const at = (text: string): number => {
  const [time = "", day = "1"] = text.split(" ").reverse();
  const [hour, minute, second = 0] = time.split(":").map(Number);
  return Date.UTC(2026, 0, Number(day), hour, minute, second);
};
type Spec = Partial<NonNullable<CronJob["spec"]>>;
interface Given {
  readonly schedule?: string;
  readonly created?: string;
  /** When the last Job was scheduled. */
  readonly last?: string;
  /** Names of active Jobs. */
  readonly active?: readonly string[];
  readonly now: string;
  readonly spec?: Spec;
}
const inputs = ({ schedule = "0 * * * *", created = "08:30", last, active, now, spec = {} }: Given): ScheduleInputs => {
  const cronJob: CronJob = {
    metadata: { name: "cron", namespace: "ns", creationTimestamp: formatTime(at(created)) },
    spec: { schedule, jobTemplate: { spec: { template: {} } }, ...spec },
    status: {
      ...(last !== undefined && { lastScheduleTime: formatTime(at(last)) }),
      ...(active && { active: active.map((name) => ({ name, namespace: "ns", uid: name })) }),
    },
  };
  const parsed = scheduleOf(cronJob);
  if (!parsed.schedule) throw new Error(parsed.problem);
  return { cronJob, schedule: parsed.schedule, now: at(now), localZone: "UTC" };
};

describe("which Job is due", () => {
  const summary = (given: Given): string => {
    const plan = planSchedule(inputs(given));
    const many = plan.hasMissedMany ? " after many" : "";
    switch (plan.kind) {
      case "start":
        return `start ${formatTime(plan.scheduledMs).slice(8, 16).replace("T", " ")}${many}`;
      case "wait":
        return `${plan.missed === undefined ? (plan.isBlocked ? "blocked" : "wait") : "too late"}${many}`;
      case "invalid":
        return plan.problem;
    }
  };
  const rows: (Given & { name: string; is: string })[] = [
    { name: "none before the first time", now: "08:59", is: "wait" },
    { name: "the first one at its time", now: "09:00", is: "start 01 09:00" },
    { name: "none again at the same time", last: "09:00", now: "09:00", is: "wait" },
    { name: "none until the next time", last: "09:00", now: "09:59:59", is: "wait" },
    { name: "the next one", last: "09:00", now: "10:00:07", is: "start 01 10:00" },
    { name: "only the last of several that were missed", last: "09:00", now: "14:30", is: "start 01 14:00" },
    {
      name: "with a warning when more than 100 were missed",
      schedule: "* * * * *",
      last: "09:00",
      now: "11:00:30",
      is: "start 01 11:00 after many",
    },
    {
      name: "without one where the deadline leaves few",
      schedule: "* * * * *",
      last: "09:00",
      now: "11:00:30",
      spec: { startingDeadlineSeconds: 120 },
      is: "start 01 11:00",
    },
    { name: "one that is late, without a deadline", last: "09:00", now: "10:59", is: "start 01 10:00" },
    {
      name: "one that is late, within the deadline",
      last: "09:00",
      now: "10:01",
      spec: { startingDeadlineSeconds: 90 },
      is: "start 01 10:00",
    },
    {
      name: "none when it is later than the deadline",
      last: "09:00",
      now: "10:10",
      spec: { startingDeadlineSeconds: 90 },
      is: "wait",
    },
    {
      name: "none that is active already",
      last: "09:00",
      active: [`cron-${at("10:00") / 60_000}`],
      now: "10:00:01",
      is: "wait",
    },
    {
      name: "none beside another where that is forbidden",
      last: "09:00",
      active: ["cron-1"],
      now: "10:00",
      spec: { concurrencyPolicy: "Forbid" },
      is: "blocked",
    },
    {
      name: "one beside another where that is allowed",
      last: "09:00",
      active: ["cron-1"],
      now: "10:00",
      spec: { concurrencyPolicy: "Allow" },
      is: "start 01 10:00",
    },
    {
      name: "one in place of another",
      last: "09:00",
      active: ["cron-1"],
      now: "10:00",
      spec: { concurrencyPolicy: "Replace" },
      is: "start 01 10:00",
    },
    {
      name: "none for a date that does not exist",
      schedule: "59 23 31 2 *",
      now: "09:00",
      is: "time difference between two schedules is less than 1 second",
    },
    {
      name: "one of every two hours, counted from the last",
      schedule: "@every 2h",
      last: "09:10",
      now: "15:20",
      is: "start 01 15:10",
    },
    {
      name: "the last of an irregular schedule",
      schedule: "30 6-16/4 * * 1-5",
      last: "06:30",
      now: "5 06:31",
      is: "start 05 06:30",
    },
    {
      name: "none where the estimate of missed times goes too far",
      schedule: "30 6-16/4 * * 1-5",
      last: "06:30",
      now: "5 05:00",
      is: "wait",
    },
    {
      name: "in the time zone",
      schedule: "0 12 * * *",
      spec: { timeZone: "America/New_York" },
      now: "17:00",
      is: "start 01 17:00",
    },
  ];
  for (const row of rows) it(row.name, () => expect(summary(row)).toBe(row.is));
});

describe("the next look", () => {
  const rows: (Given & { name: string; seconds: number })[] = [
    { name: "is shortly after the first time", now: "08:50", seconds: 600.1 },
    { name: "is after the next time once one has started", last: "09:00", now: "09:00", seconds: 3600.1 },
    { name: "is after the next time from now when some were missed", last: "09:00", now: "14:30", seconds: 1800.1 },
    { name: "keeps the steps of @every", schedule: "@every 2h", last: "09:10", now: "15:20", seconds: 6600.1 },
  ];
  for (const row of rows) it(row.name, () => expect(nextDueIn(inputs(row)) / 1000).toBeCloseTo(row.seconds, 6));
  it("never comes where the schedule never does", () =>
    expect(nextDueIn(inputs({ schedule: "59 23 31 2 *", now: "09:00" }))).toBe(Number.POSITIVE_INFINITY));
});

const job = (
  name: string,
  { end, started, completed }: { end?: "Complete" | "Failed"; started?: string; completed?: string } = {},
): CachedJob => ({
  metadata: { name, namespace: "ns", uid: name },
  status: {
    ...(started && { startTime: formatTime(at(started)) }),
    ...(completed && { completionTime: formatTime(at(completed)) }),
    ...(end && { conditions: [{ type: end, status: "True" }] }),
  },
});
const names = (jobs: readonly CachedJob[]): string[] => jobs.map(({ metadata }) => metadata?.name ?? "");

describe("the history", () => {
  const jobs = [
    job("c", { end: "Complete", started: "03:00" }),
    job("a", { end: "Complete", started: "01:00" }),
    job("b", { end: "Complete", started: "01:00" }),
    job("new", { end: "Complete" }),
    job("x", { end: "Failed", started: "02:00" }),
    job("y", { end: "Failed", started: "01:30" }),
    job("busy", { started: "00:10" }),
  ];
  const rows: { name: string; spec: Spec; removed: string[] }[] = [
    { name: "is not limited where there are no limits", spec: {}, removed: [] },
    {
      name: "loses the oldest, by name where they are as old",
      spec: { successfulJobsHistoryLimit: 2 },
      removed: ["a", "b"],
    },
    {
      name: "has a limit of its own for failures",
      spec: { successfulJobsHistoryLimit: 9, failedJobsHistoryLimit: 1 },
      removed: ["y"],
    },
    {
      name: "may be none at all, but for what is not over",
      spec: { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 },
      removed: ["a", "b", "c", "new", "y", "x"],
    },
  ];
  for (const { name, spec, removed } of rows)
    it(name, () => expect(names(planHistory(inputs({ now: "09:00", spec }).cronJob, jobs))).toEqual(removed));
});

describe("active Jobs", () => {
  const active = (...uids: string[]) => ({ active: uids.map((uid) => ({ uid, name: uid, namespace: "ns" })) });
  it("are those that the status mentions and that are not over", () => {
    const before = active("done", "failed", "busy", "gone");
    const jobs = [
      job("done", { end: "Complete", completed: "08:00" }),
      job("older", { end: "Complete", completed: "07:00" }),
      job("failed", { end: "Failed" }),
      job("busy"),
      job("stranger"),
    ];
    const plan = planActive(before, jobs);
    expect(plan.status).toEqual({ ...active("busy", "gone"), lastSuccessfulTime: formatTime(at("08:00")) });
    expect(names(plan.completed)).toEqual(["done", "failed"]);
    expect(names(plan.unexpected)).toEqual(["stranger"]);
    expect(plan.missing.map(({ uid }) => uid)).toEqual(["gone"]);
  });
  it("leave the status as it is where nothing is new", () => {
    const before = { ...active("busy"), lastSuccessfulTime: formatTime(at("08:00")) };
    expect(planActive(before, [job("busy"), job("old", { end: "Complete", completed: "07:00" })]).status).toBe(before);
  });
});

describe("the Job of a CronJob", () => {
  it("has the template's metadata and is annotated with its scheduled time, in the zone", () => {
    const { cronJob } = inputs({
      now: "09:00",
      spec: {
        timeZone: "Asia/Kolkata",
        jobTemplate: {
          metadata: { labels: { a: "b" }, annotations: { c: "d" } },
          spec: { parallelism: 2, template: {} },
        },
      },
    });
    expect(jobFromTemplate(cronJob, at("09:30"), "UTC")).toMatchObject({
      metadata: {
        name: `cron-${at("09:30") / 60_000}`,
        labels: { a: "b" },
        annotations: { c: "d", "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T15:00:00+05:30" },
        ownerReferences: [{ kind: "CronJob", name: "cron", controller: true, blockOwnerDeletion: true }],
      },
      spec: { parallelism: 2 },
    });
  });
  it("is not made where the zone is unknown", () =>
    expect(timeZoneProblem({ spec: { schedule: "* * * * *", timeZone: "Nowhere/Land", jobTemplate: {} } })).toBe(
      "unknown time zone Nowhere/Land",
    ));
  it("follows the zone in an old schedule", () =>
    expect(scheduleOf({ spec: { schedule: "TZ=Asia/Tokyo 0 6 * * *", timeZone: "UTC", jobTemplate: {} } })).toEqual(
      parseCronSchedule("TZ=Asia/Tokyo 0 6 * * *"),
    ));
});
