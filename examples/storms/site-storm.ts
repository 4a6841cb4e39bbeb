// An operator with derived objects in a storm, as replicas that elect a leader or, as during a careless rolling update, do not.
import type { Deployment } from "@coxswain/api/apps/v1";
import type { Interceptor, TransportRequest } from "@coxswain/client/transport";
import { createManager } from "@coxswain/operator";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { type Program, type Storm, startCluster, type TestCluster } from "@coxswain/testkit";
import { blow, supervise, until } from "./blow.js";
import { addSites, type Site, Sites, siteDefinition } from "./site-operator.js";
import { written } from "./written.js";

export interface SiteOutcome {
  /** The size that the last edit asked for, and those that are there in the end. */
  readonly wanted: number;
  readonly deployed: number | undefined;
  readonly reported: number | undefined;
  /** Writes that replaced what was made from a newer Site: a Deployment, or the status. */
  readonly overwrites: readonly string[];
  /** Deployments that were made again smaller than they were when somebody deleted them. */
  readonly revivals: readonly string[];
}

export interface SiteOptions {
  readonly replicas: readonly string[];
  readonly elected: boolean;
  /** Writes without comparing. */
  readonly plain?: boolean;
}

export async function siteInAStorm(
  seed: number,
  { replicas, elected, plain = false }: SiteOptions,
): Promise<SiteOutcome> {
  const random = createSeededRandom(`site ${seed}`);
  const cluster = await startCluster({ seed, nodes: 0, controllers: [] });
  const { client, clock } = cluster;
  await client.apiextensions.v1.customresourcedefinitions().create(siteDefinition);
  await clock.advance("1s");
  const storm = cluster.storm();
  // Each replica's watch of Sites can fall silent alone: woken by a Deployment, it reads an old Site then.
  const lateSites = replicas.map(() => cluster.storm());
  // Two that replace each other's writes without end must take time for it, or the clock stands still.
  if (plain) cluster.faults.add({ fault: "delay", by: "5s", resource: "deployments", verb: "patch" });
  const programs: Program[] = [];
  for (const [at, identity] of replicas.entries())
    programs.push(
      await cluster.run(
        identity,
        (own, world) => {
          const leaderElection = { id: "sites", namespace: "default", identity };
          const manager = createManager({ client: own, ...world, ...(elected && { leaderElection }) });
          addSites(manager, { plain });
          return supervise(manager, () => programs[at]?.crash());
        },
        { through: divided(lateSites[at] as Storm, storm) },
      ),
    );
  const sites = client.dynamic<Site>(Sites, "default");
  let size = 0;
  const edit = async (): Promise<void> => {
    size += 1;
    const there = await sites.get("a").catch(() => undefined);
    if (there !== undefined && random.next() < 0.15) await sites.delete("a");
    else if (there !== undefined) await sites.patch("a", { merge: { spec: { size } } });
    if ((await sites.get("a").catch(() => undefined)) === undefined)
      await sites.create({ metadata: { name: "a" }, spec: { size } });
    if (random.next() < 0.15)
      await client.apps.v1
        .deployments("default")
        .delete("a")
        .catch(() => {}); // there may be none yet
  };
  await edit();
  const strike = (): void =>
    void (random.next() < 0.5 ? lateSites[randomInt(lateSites.length, random)]?.strike("silent") : storm.strike());
  await blow({ cluster, storm: { strike }, random, programs, edit, rounds: 14 });
  storm.calm();
  await edit();
  const content = async () => ({
    wanted: size,
    deployed: (
      await client.apps.v1
        .deployments("default")
        .get("a")
        .catch(() => undefined)
    )?.spec?.replicas,
    reported: (await sites.get("a")).status?.size,
  });
  const isDone = async (): Promise<boolean> => {
    const { wanted, deployed, reported } = await content();
    return deployed === wanted && reported === wanted;
  };
  if (!plain) await until(isDone, () => clock.advance("1m"));
  const outcome = { ...(await content()), ...wrongIn(cluster) };
  await cluster.stop();
  return outcome;
}

/** Requests about Sites meet one storm, all others another. */
const divided =
  (ofSites: Storm, ofOthers: Storm): Interceptor =>
  (next) => {
    const [own, rest] = [ofSites.through(next), ofOthers.through(next)];
    const of = ({ path }: TransportRequest) => (path.endsWith("/sites") ? own : rest);
    return {
      send: (request) => of(request).send(request),
      watch: (request) => of(request).watch(request),
      close: () => next.close(),
    };
  };

/** Each edit asks for more: what was made from a newer Site is larger. */
function wrongIn(cluster: TestCluster): Pick<SiteOutcome, "overwrites" | "revivals"> {
  const overwrites: string[] = [];
  const revivals: string[] = [];
  let [newest, isThere] = [0, false];
  for (const { object, user, revision } of written<Deployment>(cluster, "/registry/deployments/default/a")) {
    const replicas = object?.spec?.replicas ?? 0;
    if (object !== undefined && replicas < newest)
      (isThere ? overwrites : revivals).push(`${user} wrote ${replicas} over ${newest} at ${revision}`);
    isThere = object !== undefined;
    newest = Math.max(newest, replicas);
  }
  let last: { uid?: string | undefined; generation: number } = { generation: 0 };
  for (const { object, user, revision } of written<Site>(cluster, "/registry/example.com/sites/default/a")) {
    const uid = object?.metadata?.uid;
    const generation = object?.status?.observedGeneration ?? 0;
    if (uid === last.uid && generation < last.generation)
      overwrites.push(`${user} wrote status ${generation} over ${last.generation} at ${revision}`);
    last = { uid, generation };
  }
  return { overwrites, revivals };
}
