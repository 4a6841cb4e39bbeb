import { createTableStores, type TableStore } from "@coxswain/console/tables";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { startCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";

const place = { group: "", version: "v1", resource: "configmaps", namespace: "default" };

/** A few in `npm test`; `COXSWAIN_STORM_SEEDS=100` for all of them. */
const seeds = Number(process.env["COXSWAIN_STORM_SEEDS"] ?? 5);

/** What the store has and what the server lists, after a storm between the two. */
async function storm(
  seed: number,
): Promise<{ readonly store: string[]; readonly server: string[]; readonly changes: number }> {
  const cluster = await startCluster({ seed, nodes: 0, controllers: [] });
  const random = createSeededRandom(`tables ${seed}`);
  const weather = cluster.storm();
  const objects = cluster.client.core.v1.configmaps("default");
  let store: TableStore | undefined;
  await cluster.run(
    "console",
    ({ rest }, { runtime }) => {
      const used = createTableStores({ runtime, rest, canWatch: () => true }).use(place, "");
      ({ store } = used);
      return { stop: () => used.release() };
    },
    { through: (next) => weather.through(next) },
  );
  let changes = 0;
  const change = async (): Promise<void> => {
    const name = `thing-${randomInt(12, random)}`;
    const luck = random.next();
    changes++;
    if (luck < 0.3) await objects.delete(name).catch(() => undefined);
    else if (luck < 0.7) await objects.create({ metadata: { name } }).catch(() => undefined);
    else
      await objects
        .get(name)
        .then((found) => objects.update({ ...found, data: { [`k${randomInt(5, random)}`]: String(changes) } }))
        .catch(() => undefined);
  };
  for (let round = 0; round < 20; round++) {
    for (let count = randomInt(4, random); count > 0; count--) await change();
    if (random.next() < 0.6) weather.strike();
    await cluster.clock.advance(randomInt(random.next() < 0.05 ? 900_000 : 4000, random));
  }
  weather.calm();
  await change();
  const seen = (): string[] =>
    [...(store?.rows() ?? [])].map(({ name, uid, cells }) => `${name} ${uid} ${cells[1]}`).sort();
  const listed = async (): Promise<string[]> =>
    (await objects.list()).items
      .map(({ metadata, data = {} }) => `${metadata?.name} ${metadata?.uid} ${Object.keys(data).length}`)
      .sort();
  const server = await listed();
  // A silent watch is noticed when its time is over.
  await cluster.clock.advanceUntil(() => JSON.stringify(seen()) === JSON.stringify(server), "30m");
  const result = { store: seen(), server, changes };
  await cluster.stop({ isReported: true });
  return result;
}

it(`tables are equal to the server's lists after a storm, for each of ${seeds} seeds`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const { store, server, changes } = await storm(seed);
    expect(store, `seed ${seed}`).toEqual(server);
    expect(changes).toBeGreaterThan(10);
  }
}, 600_000);

it("a table follows its watch without listing again: rows come, change and go", async () => {
  const cluster = await startCluster({ seed: 1, nodes: 0, controllers: [] });
  const errors: unknown[] = [];
  let lists = 0;
  let store: TableStore | undefined;
  await cluster.run("console", ({ rest }, { runtime }) => {
    const counted = { ...rest, send: (request: Parameters<typeof rest.send>[0]) => (lists++, rest.send(request)) };
    const used = createTableStores({ runtime, rest: counted, canWatch: () => true }).use(place, "");
    ({ store } = used);
    used.store.listen(() => used.store.problem && errors.push(used.store.problem));
    return { stop: () => used.release() };
  });
  const objects = cluster.client.core.v1.configmaps("default");
  await cluster.clock.advance("1s");
  for (const name of ["a", "b", "c"]) await objects.create({ metadata: { name } });
  await objects.delete("b");
  await objects.update({ ...(await objects.get("c")), data: { x: "1", y: "2" } });
  await cluster.clock.advance("2s");
  expect(
    [...(store?.rows() ?? [])].map(({ name, cells }) => `${name} ${cells[1]}`).filter((row) => !row.startsWith("kube")),
  ).toEqual(["a 0", "c 2"]);
  expect({ lists, errors }).toEqual({ lists: 2, errors: [] }); // the first rows, then all;
  await cluster.stop({ isReported: true });
});
