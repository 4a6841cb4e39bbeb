// The mirror of two clusters in a storm towards both of them.
import type { ConfigMap } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { createManager } from "@coxswain/operator";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { type Program, startCluster, type TestCluster } from "@coxswain/testkit";
import { addMirror } from "../two-cluster-mirror/two-cluster-mirror.js";
import { blow, supervise, until } from "./blow.js";
import { written } from "./written.js";

export interface MirrorOutcome {
  readonly originals: Readonly<Record<string, string | undefined>>;
  readonly copies: Readonly<Record<string, string | undefined>>;
  /** Writes to a copy that were made from an older original than what they replaced. */
  readonly overwrites: readonly string[];
  /** Calls of reconcilers that began in one replica during a call in another that was not paused. */
  readonly overlaps: readonly string[];
}

const names = ["a", "b", "c"];
const labels = { mirror: "true" };

export async function mirrorInAStorm(seed: number, replicas: readonly string[]): Promise<MirrorOutcome> {
  const random = createSeededRandom(`mirror ${seed}`);
  const west = await startCluster({ seed, nodes: 0, controllers: [] });
  const east = await startCluster({ seed: seed + 1, nodes: 0, controllers: [] });
  const [near, far] = [west.storm(), east.storm()];
  const active = new Map<string, number>();
  const overlaps: string[] = [];
  const programs: Program[] = [];
  /** What a replica is towards the second cluster. */
  const farSides = new Map<string, Program>();
  const others = (identity: string): string[] =>
    replicas.filter((other, at) => other !== identity && !programs[at]?.isPaused);
  for (const identity of replicas)
    programs.push(
      await west.run(
        identity,
        async (client, world) => {
          active.set(identity, 0);
          let eastClient: Client | undefined;
          const there = await east.run(identity, (own) => ((eastClient = own), { stop: () => {} }), {
            through: far.through,
          });
          farSides.set(identity, there);
          const leaderElection = { id: "mirror", namespace: "default", identity };
          const manager = createManager({
            client,
            ...world,
            ...(replicas.length > 1 && { leaderElection }),
            observer: {
              active(_, change) {
                const busy = others(identity).filter((other) => (active.get(other) ?? 0) > 0);
                if (change === 1 && busy.length > 0) overlaps.push(`${identity} beside ${busy.join()}`);
                active.set(identity, (active.get(identity) ?? 0) + change);
              },
            },
          });
          await manager.clusters.add("east", eastClient as unknown as Client);
          addMirror(manager, "east");
          const running = supervise(manager, () => programs[replicas.indexOf(identity)]?.crash());
          return {
            async stop() {
              await there.stop(); // a killed process is dead for both clusters
              await running.stop();
            },
          };
        },
        { through: near.through },
      ),
    );

  const maps = west.client.core.v1.configmaps("default");
  const edit = async (n: number): Promise<void> => {
    const name = names[randomInt(names.length, random)] ?? "";
    const data = { v: String(n) };
    const there = await maps.get(name).catch(() => undefined);
    const isGoing = there?.metadata?.deletionTimestamp !== undefined;
    if (there === undefined) await maps.create({ metadata: { name, labels }, data });
    else if (!isGoing && random.next() < 0.25) await maps.delete(name);
    else if (!isGoing) await maps.patch(name, { merge: { data } });
    if (random.next() < 0.2) far.strike();
  };
  /** Two clocks: the second cluster's follows in steps. */
  const pass = async (seconds: number, step = 5): Promise<void> => {
    for (let left = seconds; left > 0; left -= step) {
      await west.clock.advance(Math.min(step, left) * 1000);
      await east.clock.advance(Math.min(step, left) * 1000);
    }
  };
  const processes = replicas.map((identity, at) => ({
    crash: () => programs[at]?.crash(),
    pause() {
      programs[at]?.pause();
      farSides.get(identity)?.pause();
    },
    resume() {
      farSides.get(identity)?.resume();
      programs[at]?.resume();
    },
  }));
  await blow({ cluster: west, storm: near, random, programs: processes, edit, pass });
  near.calm();
  far.calm();
  await edit(10);
  const content = async () => ({
    originals: await valuesOf(west, "mirror=true"),
    copies: await valuesOf(east, "example.com/copy=true"),
  });
  const isEqual = async (): Promise<boolean> => {
    const { originals, copies } = await content();
    return JSON.stringify(originals) === JSON.stringify(copies);
  };
  await until(isEqual, () => pass(60, 30));
  const outcome = { ...(await content()), overwrites: olderIn(east), overlaps };
  await west.stop();
  await east.stop();
  return outcome;
}

async function valuesOf({ client }: TestCluster, labelSelector: string): Promise<Record<string, string | undefined>> {
  const { items } = await client.core.v1.configmaps("default").list({ labelSelector });
  return Object.fromEntries(items.map(({ metadata, data }) => [metadata?.name, data?.["v"]]));
}

/** Each user's edit has a higher number: what a copy shows never goes back. */
function olderIn(east: TestCluster): string[] {
  const found: string[] = [];
  const newest = new Map<string, number>();
  for (const { key, object, user, revision } of written<ConfigMap>(east, "/registry/configmaps/default/")) {
    if (object?.metadata?.labels?.["example.com/copy"] !== "true") continue;
    const value = Number(object.data?.["v"]);
    const before = newest.get(key) ?? -1;
    if (value < before) found.push(`${user} wrote ${value} over ${before} to ${key} at ${revision}`);
    newest.set(key, value);
  }
  return found;
}
