// Writes a ConfigMap for every Report whose time has come. Nothing is remembered outside the API: a restart goes on where it ended.
import { nextTime, parseCronSchedule } from "@coxswain/apimachinery/cron";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import {
  builtIn,
  type Manager,
  patchStatus,
  type StatusOf,
  setControllerReference,
  terminalError,
} from "@coxswain/operator";
import { type Report, Reports } from "./report.js";

const { configmaps } = builtIn.core.v1;
const label = "example.com/report";

/** Pure: the last moment that is due, and the next one. A long pause is made up for by one report, not by one for each moment. */
export function planRun(
  schedule: string,
  last: number,
  now: number,
): { due: number | undefined; next: number | undefined } {
  const parsed = parseCronSchedule(schedule);
  if (!parsed.schedule) throw terminalError(`spec.schedule: ${parsed.problem}`);
  let due: number | undefined;
  let next = nextTime(parsed.schedule, last, "UTC");
  while (next !== undefined && next <= now) {
    due = next;
    next = nextTime(parsed.schedule, next, "UTC");
  }
  return { due, next };
}

export function addReports(manager: Manager): void {
  manager
    .controller("reports")
    .for(Reports)
    .owns(configmaps)
    .options({ concurrency: 2 })
    .reconcile(async ({ namespace, name }, context) => {
      const report = await context.get(Reports, { namespace, name });
      if (report === undefined) return undefined;
      const { lastScheduleTime } = report.status ?? {};
      const created = (report.metadata as { creationTimestamp?: string }).creationTimestamp;
      const last = Date.parse(lastScheduleTime ?? created ?? "");
      const { due, next } = planRun(report.spec.schedule, last, context.now());

      if (due !== undefined) {
        // The name is the moment: a second try, or another replica, meets what the first one made.
        const map = {
          metadata: { namespace, name: `${name}-${due / 60_000}`, labels: { [label]: name } },
          data: { time: formatTime(due) },
        };
        await context
          .resource(configmaps, namespace)
          .create(setControllerReference(map, { resource: Reports, object: report }))
          .catch((error: unknown) => {
            if (!isAlreadyExists(error)) throw error;
          });
        const status: StatusOf<Report> = { lastScheduleTime: formatTime(due) };
        await patchStatus(context, Reports, report, status);
        context.event(Reports, report, { type: "Normal", reason: "Reported", message: `wrote ${map.metadata.name}` });
      }

      const maps = await context.list(configmaps, { namespace, labels: { [label]: name } });
      const byAge = maps.map(({ metadata }) => metadata?.name ?? "").sort((a, b) => momentOf(b) - momentOf(a));
      for (const old of byAge.slice(report.spec.keep))
        await context.resource(configmaps, namespace).delete(old, { propagationPolicy: "Background" });
      return next === undefined ? undefined : { requeueAfterMs: next - context.now() };
    });
}

const momentOf = (name: string): number => Number(name.slice(name.lastIndexOf("-") + 1));
