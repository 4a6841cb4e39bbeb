import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decodeBlock, encodeBlock, isBlockWhole } from "./index-block.js";
import { ChangeReader, encodedChange, isHeadWhole, isValueWhole, LogEntry } from "./log-record.js";
import { positionKeys } from "./position.js";

const large = 2 ** 48 - 1;

describe("a change in the log", () => {
  const cases = [
    {
      name: "a create",
      change: {
        key: "/a",
        entry: new LogEntry(5, 0, 5, 1, undefined),
        previous: undefined,
        value: Buffer.from("v"),
        note: undefined,
      },
    },
    {
      name: "an update with all there can be",
      change: {
        key: "/ä/\u{10000}",
        entry: new LogEntry(large, 7, large, large, large),
        previous: { revision: large, sub: 2 ** 32 - 1 },
        value: Buffer.alloc(100_000, 7),
        note: { time: 1, user: "ünder", verb: "update", manager: "m" },
      },
    },
    {
      name: "an empty value",
      change: {
        key: "/a",
        entry: new LogEntry(2, 1, 2, 1, undefined),
        previous: undefined,
        value: Buffer.alloc(0),
        note: undefined,
      },
    },
    {
      name: "a delete",
      change: { key: "/a", entry: undefined, previous: { revision: 3, sub: 0 }, value: undefined, note: { time: 9 } },
    },
    {
      name: "a long key",
      change: {
        key: `/${"k".repeat(30_000)}`,
        entry: new LogEntry(2, 0, 2, 1, undefined),
        previous: undefined,
        value: Buffer.from("v"),
        note: undefined,
      },
    },
  ];
  for (const { name, change } of cases) {
    it(`is read as it was written: ${name}`, () => {
      const position = { revision: change.entry?.revision ?? 1, sub: change.entry?.sub ?? 0 };
      const bytes = encodedChange(change, { ...position, last: true });
      const reader = new ChangeReader(bytes);
      assert.deepEqual([isHeadWhole(bytes, position), isValueWhole(bytes), reader.isLast], [true, true, true]);
      assert.equal(new ChangeReader(encodedChange(change, { ...position, last: false })).isLast, false);
      assert.deepEqual(reader.entry(position), change.entry);
      assert.deepEqual(
        { key: reader.key, previous: reader.previous, note: reader.note, isPut: reader.isPut },
        { key: change.key, previous: change.previous, note: change.note, isPut: change.entry !== undefined },
      );
      assert.deepEqual(bytes.subarray(reader.valueStart), change.value ?? Buffer.alloc(0));
      assert.equal(reader.hasKey(Buffer.from(change.key)), true);
      assert.equal(reader.hasKey(Buffer.from(`${change.key}x`)), false);
    });
  }
});

describe("a damaged change in the log", () => {
  const position = { revision: 5, sub: 2 };
  const written = (): Buffer =>
    encodedChange(
      {
        key: "/registry/pods/default/a",
        entry: new LogEntry(5, 2, 3, 2, 7),
        previous: { revision: 3, sub: 0 },
        value: Buffer.from("the value"),
        note: { time: 1, user: "u" },
      },
      { ...position, last: true },
    );
  const isWhole = (bytes: Buffer, at = position): boolean => isHeadWhole(bytes, at) && isValueWhole(bytes);

  it("is known by every single byte, and a damaged value leaves the head readable", () => {
    const valueAt = new ChangeReader(written()).valueStart;
    for (let i = 0; i < written().length; i++) {
      const bytes = written();
      bytes[i]! ^= 0x10;
      assert.equal(isWhole(bytes), false, `byte ${i}`);
      assert.equal(isHeadWhole(bytes, position), i >= valueAt, `byte ${i}`);
    }
  });

  it("is known when it is cut or lengthened", () => {
    for (let length = 0; length < written().length; length++)
      assert.equal(isWhole(written().subarray(0, length)), false, `${length} bytes`);
    assert.equal(isWhole(Buffer.concat([written(), Buffer.alloc(1)])), false);
  });

  it("is known when it stands in another's place", () => {
    for (const at of [
      { revision: 6, sub: 2 },
      { revision: 5, sub: 1 },
      { revision: 4, sub: 3 },
    ])
      assert.equal(isHeadWhole(written(), at), false);
  });
});

describe("a position", () => {
  it("sorts on disk as it does here", () => {
    const positions = [
      [0, 0],
      [1, 0],
      [1, 1],
      [1, 255],
      [1, 256],
      [1, 2 ** 32 - 1],
      [2, 0],
      [2 ** 24 - 1, 5],
      [2 ** 24, 0],
      [2 ** 31, 0],
      [2 ** 32, 0],
      [large, 0],
      [large, 2 ** 32 - 1],
    ].map(([revision, sub]) => ({ revision: revision!, sub: sub! }));
    const bytes = positions.map((position) => {
      const target = Buffer.alloc(12);
      assert.equal(positionKeys.writeKey(position, target, 1), 11);
      assert.deepEqual(positionKeys.readKey(target, 1), position);
      return target;
    });
    assert.deepEqual(bytes.toSorted(Buffer.compare), bytes);
  });
});

describe("a block of the index", () => {
  it("is read as it was written", () => {
    const keys = ["/a", "/ä", "/\u{10000}", `/${"k".repeat(20_000)}`];
    const values = [
      new LogEntry(1, 2, 3, 4, undefined),
      new LogEntry(large, 2 ** 32 - 1, large, large, large),
      new LogEntry(7, 0, 7, 1, 9),
      new LogEntry(8, 0, 8, 1, undefined),
    ];
    assert.deepEqual(decodeBlock(encodeBlock({ keys, values }, 3)), { keys, values });
    assert.deepEqual(decodeBlock(encodeBlock({ keys: [], values: [] }, 3)), { keys: [], values: [] });
  });

  it("is known to be damaged by every single byte, and in another's place", () => {
    const written = (): Buffer =>
      encodeBlock(
        { keys: ["/a", "/b"], values: [new LogEntry(1, 2, 3, 4, 5), new LogEntry(7, 0, 7, 1, undefined)] },
        9,
      );
    assert.equal(isBlockWhole(written(), 9), true);
    assert.equal(isBlockWhole(written(), 8), false);
    for (let i = 0; i < written().length; i++) {
      const bytes = written();
      bytes[i]! ^= 1;
      assert.equal(isBlockWhole(bytes, 9), false, `byte ${i}`);
    }
  });
});
