import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { silentLogger } from "@coxswain/runtime/log";
import { afterEach, beforeEach, describe, it } from "vitest";
import { temporaryDirectory } from "../crash/test-process.js";
import type { WalPlace } from "../wal-place.js";
import { readRecords } from "./read-wal.js";
import { WalFile } from "./wal-file.js";
import { paddedLength, pageBytes, recordHeadBytes } from "./wal-record.js";

const pages = 16;

describe("the write-ahead log", () => {
  let directory: string;
  let wal: WalFile;
  const path = (): string => join(directory, "data.wal");
  const begin = async (epoch: number): Promise<WalFile> => {
    const file = new WalFile({ path: path(), bytes: pages * pageBytes, epoch, log: silentLogger });
    await file.make();
    return file;
  };
  beforeEach(async () => {
    directory = await temporaryDirectory();
    wal = await begin(7);
  });
  afterEach(async () => {
    await wal.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** A record of so many pages, full of one letter. */
  async function append(letter: string, size = 1): Promise<WalPlace> {
    const length = size * pageBytes - 10;
    const record = Buffer.alloc(paddedLength(length));
    record.fill(letter, recordHeadBytes, length);
    return wal.append(record, length);
  }
  const lettersOf = (file: Buffer, from: WalPlace): string =>
    readRecords(file, from)
      .records.map(({ record }) => String.fromCharCode(record.at(-1)!))
      .join("");
  const read = (from = wal.first): string => lettersOf(readFileSync(path()), from);

  it("is read back in order, and nothing is in a new one", async () => {
    assert.equal(read(), "");
    for (const letter of "abc") await append(letter, 2);
    assert.equal(read(), "abc");
  });

  it("is read from where it was released", async () => {
    await append("a");
    const next = await append("b", 3);
    await append("c");
    assert.equal(read(next), "c");
  });

  it("never changes its size, and uses its room again", async () => {
    let from = wal.first;
    for (let i = 0; i < 100; i++) {
      wal.release(from);
      assert.equal(wal.used, 0);
      const next = await append("x", 1 + (i % 5));
      assert.equal(read(from), "x", `round ${i}`);
      from = next;
    }
    assert.equal(read(from), "");
    assert.equal(statSync(path()).size, pages * pageBytes);
  });

  it("is read across its end", async () => {
    await append("a", 7);
    wal.release(await append("b", 6));
    const from = await append("c", 2);
    assert.equal(wal.fits(3 * pageBytes), true);
    await append("d", 3);
    await append("e");
    assert.equal(read(from), "de");
  });

  it("takes nothing that would touch what is still needed", async () => {
    const first = await append("a", 5);
    await append("b", 10);
    assert.equal(wal.fits(2 * pageBytes), false, "one page is left, and the beginning is needed");
    assert.equal(wal.fits(pageBytes), true);
    wal.release(first);
    assert.equal(wal.fits(5 * pageBytes), false, "full must not look like empty");
    assert.equal(wal.fits(4 * pageBytes), true);
    await append("c", 4);
    assert.equal(wal.fits(pageBytes), false);
    assert.equal(read(first), "bc");
  });

  it("does not read what an earlier life left", async () => {
    for (const letter of "abc") await append(letter);
    await wal.close();
    wal = await begin(8);
    assert.equal(read(), "");
    await append("z");
    assert.equal(read(), "z");
  });

  it("does not read what an earlier round left", async () => {
    let from = wal.first;
    for (let i = 0; i < pages; i++) from = await append("a").then((next) => (wal.release(next), next));
    await append("b");
    assert.equal(read(from), "b");
  });

  it("without its last record, when that is torn", async () => {
    await append("a");
    await append("b", 4);
    const file = readFileSync(path());
    const torn = [
      { name: "its last page was not written", tear: (copy: Buffer) => copy.fill(0, 4 * pageBytes, 5 * pageBytes) },
      { name: "its first page was not written", tear: (copy: Buffer) => copy.fill(0, pageBytes, 2 * pageBytes) },
      {
        name: "a page in between is an older one",
        tear: (copy: Buffer) => copy.fill("o", 2 * pageBytes, 3 * pageBytes),
      },
      { name: "one bit is another", tear: (copy: Buffer) => copy.writeUInt8(copy[3 * pageBytes]! ^ 4, 3 * pageBytes) },
      { name: "its length is nonsense", tear: (copy: Buffer) => copy.writeUInt32LE(0xffff_fff0, pageBytes + 8) },
    ];
    for (const { name, tear } of torn) {
      const copy = Buffer.from(file);
      tear(copy);
      assert.equal(lettersOf(copy, wal.first), "a", name);
    }
    assert.equal(lettersOf(file, wal.first), "ab");
  });

  it("is refused as unreadable when others follow a damaged record", async () => {
    for (const letter of "abc") await append(letter);
    for (const damaged of [0, 1]) {
      for (const with_ of [0, 0x41]) {
        const copy = readFileSync(path());
        copy.fill(with_, damaged * pageBytes, (damaged + 1) * pageBytes);
        assert.throws(
          () => lettersOf(copy, wal.first),
          /record \d of the write-ahead log is damaged, and record \d follows it/,
        );
      }
    }
  });

  it("is distinguished from one that could not be created, which is logged", async () => {
    await wal.close();
    const logged: string[] = [];
    wal = new WalFile({
      path: join(directory, "missing", "data.wal"),
      bytes: pages * pageBytes,
      epoch: 1,
      log: { warn: (message) => void logged.push(message) },
    });
    await wal.make();
    assert.match(logged.join(), /^the write-ahead log .*data\.wal could not be created \(ENOENT/);
    assert.equal(wal.ready, false);
    assert.equal(wal.fits(pageBytes), false);
  });
});
