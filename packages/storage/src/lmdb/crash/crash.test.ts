import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, it } from "vitest";
import { openBackup } from "../../backup/index.js";
import { createTestClock } from "../../conformance/index.js";
import type { KeyRecord } from "../../contract/key-value-store.js";
import { isStoreError } from "../../contract/store-error.js";
import { openLmdbStore } from "../index.js";
import type { Moment } from "../moment.js";
import { startProcess, temporaryDirectory } from "./test-process.js";
import { nonceOf, type WriterLine } from "./writer-protocol.js";

/** COXSWAIN_SLOW=1 kills as often as documented. */
const kills = process.env["COXSWAIN_SLOW"] === undefined ? 5 : 60;

/** Everything that was acknowledged, over all lives of the writer, and everything that was seen after one. */
class Acknowledged {
  readonly newest = new Map<string, { revision: number; nonce: string | undefined }>();
  readonly owners = new Map<number, string>();
  highest = 0;

  add(line: WriterLine): void {
    if (line.event === "open")
      assert.ok(line.revision >= this.highest, `opened at ${line.revision}, but ${this.highest} was given before`);
    this.highest = Math.max(this.highest, line.revision);
    if (line.event !== "written") return;
    const owner = this.owners.get(line.revision);
    assert.ok(
      owner === undefined || owner === line.nonce,
      `revision ${line.revision} was given to ${owner} and to ${line.nonce}`,
    );
    this.owners.set(line.revision, line.nonce);
    const known = this.newest.get(line.key);
    if (known === undefined || known.revision < line.revision)
      this.newest.set(line.key, { revision: line.revision, nonce: line.deleted ? undefined : line.nonce });
  }

  /** What was there after a crash must be there after the next one too, acknowledged or not. */
  adopt({ revision, records, lastInLog }: Observed): void {
    this.highest = Math.max(this.highest, revision);
    for (const [key, last] of lastInLog)
      if (last.type === "delete") this.newest.set(key, { revision: last.revision, nonce: undefined });
    for (const record of records.values())
      this.newest.set(record.key, { revision: record.revision, nonce: nonceOf(record.key, record.value) });
  }
}

/** What a store shows when it is opened again. */
interface Observed {
  readonly revision: number;
  readonly records: ReadonlyMap<string, KeyRecord>;
  /** The last change of each key since the compaction. */
  readonly lastInLog: ReadonlyMap<string, { readonly type: "put" | "delete"; readonly revision: number }>;
}

async function live(directory: string, life: number, manner: "honest" | "early"): Promise<WriterLine[]> {
  const writer = await startProcess("writer-process", [directory, `life${life}`, manner]);
  await new Promise<void>((resolve) => writer.child.stdout?.once("data", () => resolve()));
  // From right after the opening to well into the work.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.random() * 600));
  writer.child.kill("SIGKILL");
  const lines = await writer.lines;
  assert.equal(writer.child.signalCode, "SIGKILL", `the writer ended by itself: ${writer.errors()}`);
  return lines.map((line) => JSON.parse(line) as WriterLine);
}

async function observe(directory: string): Promise<Observed> {
  const store = await openLmdbStore({
    directory,
    runtime: systemRuntime({ clock: createTestClock() }),
    compaction: "off",
  });
  try {
    const { revision, compactedRevision } = await store.status();
    const { records } = await store.range({ prefix: "" });
    const lastInLog = new Map<string, { type: "put" | "delete"; revision: number }>();
    const stopping = new AbortController();
    await store.watch(
      { prefix: "", from: compactedRevision },
      (events, progress) => {
        for (const event of events) lastInLog.set(event.key, { type: event.type, revision: event.revision });
        if (progress >= revision) stopping.abort();
      },
      stopping.signal,
    );
    return { revision, records: new Map(records.map((record) => [record.key, record])), lastInLog };
  } finally {
    await store.close();
  }
}

function verify({ revision, records, lastInLog }: Observed, acknowledged: Acknowledged): void {
  assert.ok(
    revision >= acknowledged.highest,
    `the store is at ${revision}, but ${acknowledged.highest} was acknowledged`,
  );
  for (const [key, { type, revision: at }] of lastInLog)
    assert.equal(
      records.get(key)?.revision,
      type === "put" ? at : undefined,
      `the log and the index disagree on ${key}`,
    );
  for (const [key, { revision: at, nonce }] of acknowledged.newest) {
    const record = records.get(key);
    // A write that was not acknowledged may have been made since; an acknowledged one may not be missing.
    const reached = record?.revision ?? lastInLog.get(key)?.revision ?? 0;
    if (record === undefined && nonce === undefined) continue;
    assert.ok(reached >= at, `${key} is at ${reached}, but ${at} was acknowledged`);
    if (record?.revision === at)
      assert.equal(nonceOf(key, record.value), nonce, `${key} has another value than was acknowledged`);
  }
  const nonces = new Map<number, string>();
  for (const { key, value, revision: at } of records.values()) {
    const nonce = nonceOf(key, value);
    assert.equal(nonces.get(at) ?? nonce, nonce, `revision ${at} is of two transactions`);
    nonces.set(at, nonce);
  }
}

async function verifyBackups(lines: readonly WriterLine[]): Promise<void> {
  for (const line of lines) {
    if (line.event !== "backed up") continue;
    const backup = await openBackup(line.file);
    assert.equal(backup.header.revision, line.revision);
    for await (const { key, value, revision } of backup.records()) {
      assert.ok(revision <= line.revision);
      nonceOf(key, value);
    }
    await backup.close();
    await rm(line.file);
  }
}

async function crashes(manner: "honest" | "early", times: number): Promise<void> {
  const root = await temporaryDirectory();
  const directory = join(root, "store");
  const acknowledged = new Acknowledged();
  try {
    for (let life = 0; life < times; life++) {
      const lines = await live(directory, life, manner);
      for (const line of lines) acknowledged.add(line);
      await verifyBackups(lines);
      const observed = await observe(directory);
      verify(observed, acknowledged);
      acknowledged.adopt(observed);
    }
    assert.ok(acknowledged.newest.size > 0);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Runs a process that ends itself at a moment, and expects everything it was answered to be there. */
async function endsAt(
  directory: string,
  acknowledged: Acknowledged,
  { life, moment, times, writes = 1000 }: { life: string; moment: Moment; times: number; writes?: number },
): Promise<void> {
  const writer = await startProcess("moment-process", [directory, life, moment, String(times), String(writes)]);
  const lines = await writer.lines;
  assert.equal(writer.child.signalCode, "SIGKILL", `the writer ended by itself: ${writer.errors()}`);
  for (const line of lines) acknowledged.add(JSON.parse(line) as WriterLine);
}

describe("a process that ends", () => {
  let root: string;
  beforeEach(async () => {
    root = await temporaryDirectory();
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const cases: { name: string; moment: Moment; times: number }[] = [
    { name: "when the first record is written and not synced", moment: "log written", times: 1 },
    { name: "when a record is written and not synced", moment: "log written", times: 100 },
    { name: "when a record is on disk and not acknowledged", moment: "log synced", times: 100 },
    { name: "when the file is written for the first time", moment: "file written", times: 1 },
    { name: "when what was in the log is in the file, and the log still has it", moment: "file written", times: 2 },
    { name: "when that happens again", moment: "file written", times: 3 },
    { name: "when the log's room is free", moment: "log released", times: 2 },
    { name: "long after the log's room was used again", moment: "log synced", times: 900 },
  ];
  for (const { name, moment, times } of cases) {
    it(`${name} has lost nothing that was acknowledged`, { timeout: 60_000 }, async () => {
      const directory = join(root, "store");
      const acknowledged = new Acknowledged();
      for (const life of ["a", "b"]) {
        await endsAt(directory, acknowledged, { life, moment, times });
        const observed = await observe(directory);
        verify(observed, acknowledged);
        acknowledged.adopt(observed);
      }
    });
  }

  for (const moment of ["log read", "log replayed"] as const) {
    it(`while it opens, when the ${moment}, does so again, and nothing is there twice`, {
      timeout: 60_000,
    }, async () => {
      const directory = join(root, "store");
      const acknowledged = new Acknowledged();
      await endsAt(directory, acknowledged, { life: "a", moment: "log synced", times: 60 });
      // Ended after the replay there is nothing to replay any more, so only the first of them does not get further.
      await endsAt(directory, acknowledged, { life: "b", moment, times: 1 });
      if (moment === "log read") await endsAt(directory, acknowledged, { life: "c", moment, times: 1 });
      const observed = await observe(directory);
      verify(observed, acknowledged);
      assert.ok(acknowledged.highest > 60);
    });
  }
});

describe("a writer that is killed", () => {
  it(
    `loses nothing that was acknowledged, tears nothing and repeats no revision (${kills} kills)`,
    { timeout: 20_000 + kills * 10_000 },
    () => crashes("honest", kills),
  );

  it("is found out when it acknowledges before the disk does", { timeout: 120_000 }, async () => {
    await assert.rejects(crashes("early", 12), (err) => err instanceof assert.AssertionError || isStoreError(err));
  });
});
