// The cron-like operator in a storm, as one process or as two replicas.

import { createManager } from "@coxswain/operator";
import { createSeededRandom } from "@coxswain/runtime/random";
import { type Program, startCluster, type TestCluster } from "@coxswain/testkit";
import { addReports } from "../cron-operator/cron-operator.js";
import { type Report, Reports, reportDefinition } from "../cron-operator/report.js";
import { blow, supervise, until } from "./blow.js";
import { written } from "./written.js";

export interface CronOutcome {
  /** The times of the reports that are there in the end. */
  readonly reports: readonly (string | undefined)[];
  /** The times that should be there. */
  readonly due: readonly string[];
  /** Writes that replaced something newer: a later schedule time, or an edit of a user. */
  readonly overwrites: readonly string[];
  /** Writes of a replica while another one held the Lease. */
  readonly foreign: readonly string[];
  /** Calls of reconcilers that began in one replica during a call in another that was not paused. */
  readonly overlaps: readonly string[];
}

const keep = 3;
const lease = "/registry/leases/default/reports";

export async function cronInAStorm(seed: number, replicas: readonly string[]): Promise<CronOutcome> {
  const random = createSeededRandom(`cron ${seed}`);
  const cluster = await startCluster({ seed, nodes: 0, controllers: [] });
  const { client, clock } = cluster;
  await client.apiextensions.v1.customresourcedefinitions().create(reportDefinition);
  await clock.advance("1s");
  const storm = cluster.storm();
  const active = new Map<string, number>();
  const overlaps: string[] = [];
  const programs: Program[] = [];
  for (const identity of replicas)
    programs.push(
      await cluster.run(
        identity,
        (own, world) => {
          active.set(identity, 0);
          const leaderElection = { id: "reports", namespace: "default", identity };
          const manager = createManager({
            client: own,
            ...world,
            ...(replicas.length > 1 && { leaderElection }),
            observer: {
              active(_, change) {
                const others = replicas.filter((other, at) => other !== identity && !programs[at]?.isPaused);
                const busy = others.filter((other) => (active.get(other) ?? 0) > 0);
                if (change === 1 && busy.length > 0) overlaps.push(`${identity} beside ${busy.join()}`);
                active.set(identity, (active.get(identity) ?? 0) + change);
              },
            },
          });
          addReports(manager);
          return supervise(manager, () => programs[replicas.indexOf(identity)]?.crash());
        },
        { through: storm.through },
      ),
    );
  const reports = client.dynamic<Report>(Reports, "default");
  await reports.create({ metadata: { name: "a" }, spec: { schedule: "* * * * *", keep } });
  const edit = (n: number): Promise<unknown> =>
    reports.patch("a", { merge: { metadata: { labels: { edit: String(n) } } } as never });
  await blow({ cluster, storm, random, programs, edit });
  storm.calm();
  await edit(10);
  const content = async () => {
    const { items } = await client.core.v1.configmaps("default").list({ labelSelector: "example.com/report=a" });
    return {
      reports: items.map(({ data }) => data?.["time"]).sort(),
      due: Array.from({ length: keep }, (_, at) => minute(clock.now(), keep - 1 - at)),
    };
  };
  const isDone = async (): Promise<boolean> => {
    const { reports: made, due } = await content();
    return made.join() === due.join();
  };
  await until(isDone, () => clock.advance("1m"));
  const outcome: CronOutcome = {
    ...(await content()),
    overwrites: overwritesIn(cluster),
    foreign: replicas.length > 1 ? foreignWritesIn(cluster) : [],
    overlaps,
  };
  await cluster.stop();
  return outcome;
}

const minute = (now: number, before: number): string =>
  new Date((Math.floor(now / 60_000) - before) * 60_000).toISOString().replace(".000Z", "Z");

/** Neither the last schedule time nor the number of a user's edit ever goes back. */
function overwritesIn(cluster: TestCluster): string[] {
  const found: string[] = [];
  let newest = { schedule: "", edit: -1 };
  for (const { object, revision, user } of written<Report>(cluster, "/registry/example.com/reports/default/a")) {
    const schedule = object?.status?.lastScheduleTime ?? "";
    const edit = Number((object?.metadata as { labels?: { edit?: string } } | undefined)?.labels?.edit ?? -1);
    if (schedule < newest.schedule || edit < newest.edit)
      found.push(`${user} at ${revision}: ${schedule} after ${newest.schedule}, edit ${edit} after ${newest.edit}`);
    newest = { schedule, edit };
  }
  return found;
}

/** Whose Lease it is at each write of a replica. */
function foreignWritesIn(cluster: TestCluster): string[] {
  const found: string[] = [];
  let holder = "";
  for (const { key, object, user, revision } of written<{ spec?: { holderIdentity?: string } }>(
    cluster,
    "/registry/",
  )) {
    if (key === lease) holder = object?.spec?.holderIdentity ?? "";
    else if (user.startsWith("program:") && !key.startsWith("/registry/events/") && user !== `program:${holder}`)
      found.push(`${user} wrote ${key} at ${revision} while ${holder} led`);
  }
  return found;
}
