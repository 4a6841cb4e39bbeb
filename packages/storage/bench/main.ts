import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Contestant, Work } from "./contestant.js";
import { etcdMissing, startEtcd } from "./etcd-contestant.js";
import { startLmdb } from "./lmdb-contestant.js";
import { median } from "./percentiles.js";

/** What is promised: ours against etcd, in one run. `more`: larger is better. */
interface Row {
  readonly title: string;
  readonly unit: string;
  readonly budget: number;
  readonly more: boolean;
  readonly ours: number;
  readonly theirs: number;
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    objects: { type: "string", default: "100000" },
    json: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const objects = Number(values.objects);
const rangeKeys = 10_000;

const missing = await etcdMissing();
const directory = await mkdtemp(join(tmpdir(), "coxswain-store-bench-"));
const ours = await startLmdb(join(directory, "lmdb"));
const theirs = missing === undefined ? await startEtcd(join(directory, "etcd")) : undefined;
if (missing !== undefined) console.error(`etcd takes no part: ${missing}`);
const rows: Row[] = [];

/** Alternating, so that a noisy minute hits both. */
async function compare(work: Work): Promise<Record<"rate" | "p99", { ours: number; theirs: number }>> {
  const seen = {
    ours: { rate: [] as number[], p99: [] as number[] },
    theirs: { rate: [] as number[], p99: [] as number[] },
  };
  for (let round = 0; round < rounds; round++) {
    for (const [name, contestant] of Object.entries({ ours, theirs }) as [
      "ours" | "theirs",
      Contestant | undefined,
    ][]) {
      const measured = await contestant?.run(work);
      if (measured === undefined) continue;
      seen[name].rate.push(measured.operations / measured.seconds);
      seen[name].p99.push(measured.p99Ms);
    }
  }
  return {
    rate: { ours: median(seen.ours.rate), theirs: median(seen.theirs.rate) },
    p99: { ours: median(seen.ours.p99), theirs: median(seen.theirs.p99) },
  };
}

try {
  for (const [clients, budget] of [
    [1, 1],
    [16, 3],
    [128, 5],
  ] as const) {
    const { rate, p99 } = await compare({ do: "writes", clients, seconds });
    rows.push({ title: `durable creates, ${clients} at a time`, unit: "/s", budget, more: true, ...rate });
    rows.push({ title: `  p99`, unit: "ms", budget: 1, more: false, ...p99 });
  }
  await Promise.all([ours.run({ do: "fill", count: rangeKeys }), theirs?.run({ do: "fill", count: rangeKeys })]);
  for (const clients of [1, 64])
    rows.push({
      title: `gets, ${clients} at a time`,
      unit: "/s",
      budget: 20,
      more: true,
      ...(await compare({ do: "gets", clients, seconds, count: rangeKeys })).rate,
    });
  rows.push({
    title: "ranges of 10,000 keys",
    unit: "/s",
    budget: 5,
    more: true,
    ...(await compare({ do: "range", seconds, count: rangeKeys })).rate,
  });
  await ours.stop();
  await theirs?.stop();
  await compareRestart();
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function compareRestart(): Promise<void> {
  const empty = await startLmdb(join(directory, "lmdb-large"));
  const emptyHeap = empty.heapBytes();
  await empty.run({ do: "fill", count: objects });
  const bytes = await empty.compactedBytes();
  const opened = [await empty.reopen(), await empty.reopen(), await empty.reopen()];
  const perObject = (empty.heapBytes() - emptyHeap) / objects;
  await empty.stop();
  let their = { opened: Number.NaN, bytes: Number.NaN };
  if (missing === undefined) {
    const etcd = await startEtcd(join(directory, "etcd-large"));
    await etcd.run({ do: "fill", count: objects });
    const restarts = [await etcd.reopen(), await etcd.reopen(), await etcd.reopen()];
    their = { opened: median(restarts), bytes: await etcd.compactedBytes() };
    await etcd.stop();
  }
  rows.push({
    title: `opening ${objects.toLocaleString("en")} objects`,
    unit: "ms",
    budget: 1,
    more: false,
    ours: median(opened),
    theirs: their.opened,
  });
  rows.push({
    title: `  on disk, compacted`,
    unit: "MB",
    budget: 400e6 / their.bytes,
    more: false,
    ours: bytes / 1e6,
    theirs: their.bytes / 1e6,
  });
  rows.push({
    title: `  heap per object`,
    unit: "B",
    budget: Number.NaN,
    more: false,
    ours: perObject,
    theirs: Number.NaN,
  });
}

if (values.json) console.log(JSON.stringify(rows, undefined, 2));
const number = (value: number): string =>
  Number.isNaN(value) ? "-" : value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
for (const { title, unit, budget, more, ours, theirs } of rows) {
  const ratio = ours / theirs;
  const verdict =
    Number.isNaN(ratio) || Number.isNaN(budget) ? "" : (more ? ratio >= budget : ratio <= budget) ? "ok" : "MISSED";
  console.log(
    `${title.padEnd(32)} ${number(ours).padStart(10)} ${number(theirs).padStart(10)} ${unit.padEnd(3)} ${`${number(ratio)}x`.padStart(9)}  budget ${more ? ">=" : "<="} ${number(budget)}x  ${verdict}`,
  );
}
