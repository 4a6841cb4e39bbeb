import { type TestRuntime, testRuntime } from "@coxswain/runtime";
import { createSeededRandom, type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { KeyEvent } from "../contract/key-value-store.js";
import { createMemoryStore, type LogEntry, type MemoryStore } from "../memory/index.js";
import type { ChronicleChange, Gap, KeepRules } from "./chronicle.js";
import { memoryFiles } from "./memory-files.js";
import { type OpenChronicle, openChronicle } from "./open-chronicle.js";
import type { SegmentFiles } from "./segment-files.js";

export const rules: KeepRules = {
  of: (key) =>
    key.startsWith("/registry/leases/") ? "nothing" : key.startsWith("/registry/secrets/") ? "digest" : "value",
  isNoise: () => false,
  digest: ({ record }: KeyEvent) => ({ bytes: record?.value.length ?? 0 }),
};

const prefixes = ["pods/a/", "pods/b/", "configmaps/a/", "secrets/a/", "leases/kube-node-lease/"];

export interface ChurnReport {
  readonly seed: number;
  readonly changes: number;
  readonly crashes: number;
  readonly gaps: readonly Gap[];
  readonly segments: number;
  /** What is not as it must be. */
  readonly wrong: readonly string[];
}

/** One seeded run: writes, time, crashes that tear the last append, compactions of the store; then every promise is checked. */
export async function runChurn(seed: number, files: SegmentFiles = memoryFiles()): Promise<ChurnReport> {
  const random = createSeededRandom(seed);
  const runtime = testRuntime(seed);
  const store = createMemoryStore({ runtime });
  // What the store forgets is still the truth.
  const log: LogEntry[] = [];
  let logged = 1;
  const keepLog = (): void => {
    for (const entry of store.log(logged)) log.push(entry);
    logged = store.revision;
  };
  let run = await follow(store, files, runtime);
  const crashes: Crash[] = [];
  const isTorn = seed % 2 === 0;
  let began = store.revision;
  const steps = 150 + randomInt(250, random);
  for (let step = 0; step < steps; step++) {
    await write(store, random, runtime.clock.now());
    keepLog();
    if (random.next() < 0.2) await runtime.clock.advance(randomInt(1500, random));
    if (random.next() < 0.02) {
      // The disk keeps up: in virtual time it would seem slow.
      await run.chronicle.settled();
      run.chronicle.abandon();
      await run.stop();
      if (isTorn) await tear(files, random);
      crashes.push({ began, revision: store.revision, time: runtime.clock.now(), isTorn });
      for (let more = randomInt(10, random); more > 0; more--) await write(store, random, runtime.clock.now());
      keepLog();
      if (random.next() < 0.5) await store.compact(store.revision);
      run = await follow(store, files, runtime);
      began = store.revision;
    }
  }
  keepLog();
  if (random.next() < 0.5) await run.chronicle.flush();
  const wrong = await check(run.chronicle, { log, crashes, store, random });
  const { gaps } = run.chronicle.reach();
  const segments = (await files.list()).length;
  await run.stop();
  await run.chronicle.close();
  return { seed, changes: log.length, crashes: crashes.length, gaps, segments, wrong };
}

interface Followed {
  readonly chronicle: OpenChronicle;
  stop(): Promise<void>;
}

async function follow(store: MemoryStore, files: SegmentFiles, runtime: TestRuntime): Promise<Followed> {
  const { revision, compactedRevision } = await store.status();
  const chronicle = await openChronicle({
    files,
    rules,
    // Small, so that segments change; large enough that none is deleted: the whole log is compared.
    limits: { bytes: 512 * 1024 },
    snapshot: () => store.snapshot(),
    runtime,
    store: { revision, compacted: compactedRevision },
  });
  const stopping = new AbortController();
  const from = chronicle.reach().newest;
  let caughtUp = (): void => {};
  const ready = new Promise<void>((resolve) => (caughtUp = resolve));
  const watching = store.watch(
    { prefix: "/registry/", from },
    (events, progress) => {
      chronicle.record(events, progress);
      if (progress >= revision) caughtUp();
    },
    stopping.signal,
  );
  await ready;
  return {
    chronicle,
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

async function write(store: MemoryStore, random: RandomSource, time: number): Promise<void> {
  const pick = (): string => {
    const below = prefixes[randomInt(prefixes.length, random)]!;
    return `/registry/${below}${randomInt(8, random)}`;
  };
  const value = (): Uint8Array => Buffer.from(Buffer.from(random.bytes(1 + randomInt(700, random))).toString("base64"));
  const note = { time, user: "ann", verb: "update" };
  const keys = new Set([pick(), ...(random.next() < 0.3 ? [pick(), pick()] : [])]);
  const writes = await Promise.all(
    [...keys].map(async (key) => {
      const current = await store.get(key);
      if (current && random.next() < 0.25) return { op: "delete" as const, key, expected: current.revision, note };
      return { op: "put" as const, key, value: value(), expected: current?.revision ?? 0, note };
    }),
  );
  await store.transaction(writes);
}

/** A crash in the middle of an append: some of the last bytes are not there. */
async function tear(files: SegmentFiles, random: RandomSource): Promise<void> {
  const last = (await files.list()).at(-1);
  if (last === undefined || (await files.readIndex(last)) || random.next() < 0.3) return;
  const file = await files.open(last);
  await file.truncate(Math.max(0, file.bytes - randomInt(800, random)));
}

interface Crash {
  /** Changes after this revision were recorded as they happened. */
  readonly began: number;
  readonly revision: number;
  readonly time: number;
  /** Bytes were missing that had been appended before. */
  readonly isTorn: boolean;
}

interface Truth {
  readonly log: readonly LogEntry[];
  readonly crashes: readonly Crash[];
  readonly store: MemoryStore;
  readonly random: RandomSource;
}

/** By the runtime's clock. */
const mostLostMs = 2000;

async function check(chronicle: OpenChronicle, { log, crashes, store, random }: Truth): Promise<string[]> {
  const wrong: string[] = [];
  const { gaps, oldest } = chronicle.reach();
  const isLost = (revision: number): boolean => gaps.some(({ after, to }) => revision > after && revision <= to);
  const wanted = log.filter(({ key }) => rules.of(key) !== "nothing");
  const found: ChronicleChange[] = [];
  for await (const portion of chronicle.changes({})) found.unshift(...portion.toReversed());
  const names = found.map(nameOf);
  if (new Set(names).size !== names.length) wrong.push("a change is there twice");
  if (
    names.join() !==
    wanted
      .map(nameOf)
      .filter((name) => names.includes(name))
      .join()
  )
    wrong.push("another order");
  const byName = new Map(found.map((change) => [nameOf(change), change]));
  for (const entry of wanted) {
    const change = byName.get(nameOf(entry));
    if (!change && !isLost(entry.revision)) wrong.push(`${nameOf(entry)} is missing, and no gap is reported`);
    const crash = crashes.find((each) => each.began < entry.revision && each.revision >= entry.revision);
    if (!change && crash && !crash.isTorn && crash.time - (entry.note?.time ?? 0) > mostLostMs)
      wrong.push(`${nameOf(entry)} was recorded long before the crash, and is missing`);
    if (change && !isEqual(change, entry)) wrong.push(`${nameOf(entry)} has other bytes`);
  }
  for (let round = 0; round < 50; round++) {
    const revision = 1 + randomInt(store.revision, random);
    const prefix = `/registry/${prefixes[randomInt(2, random)]}`;
    const expected = stateOf(log, prefix, revision);
    const state = await chronicle.stateAt(prefix, revision).then(
      (records) => records.map(({ key, value, revision: of }) => `${key} ${of} ${Buffer.from(value).toString()}`),
      (error: Error & { reason?: string }) => error.reason ?? String(error),
    );
    if (state === "expired" && (revision < (oldest?.revision ?? 0) || gaps.length > 0)) continue;
    if (String(state) !== String(expected)) wrong.push(`the state at ${revision} differs: ${String(state)}`);
  }
  return wrong;
}

const nameOf = ({ revision, key }: { revision: number; key: string }): string => `${revision} ${key}`;

function isEqual({ key, value, type, digest }: ChronicleChange, entry: LogEntry): boolean {
  if (type !== entry.type) return false;
  if (rules.of(key) === "digest")
    return value === undefined && (digest as { bytes: number }).bytes === (entry.value?.length ?? 0);
  return Buffer.compare(value ?? Buffer.alloc(0), entry.value ?? Buffer.alloc(0)) === 0;
}

function stateOf(log: readonly LogEntry[], prefix: string, revision: number): string[] {
  const state = new Map<string, LogEntry>();
  for (const entry of log) {
    if (entry.revision > revision || !entry.key.startsWith(prefix)) continue;
    if (entry.type === "delete") state.delete(entry.key);
    else state.set(entry.key, entry);
  }
  return [...state.values()]
    .map(({ key, revision: of, value }) => `${key} ${of} ${Buffer.from(value ?? []).toString()}`)
    .sort();
}
