import { describe, expect, it } from "vitest";
import type { KeyEvent, Write } from "../contract/key-value-store.js";
import { OwnNotes } from "./own-notes.js";

const note = { time: 1, user: "ann" };
const value = Buffer.from("one");
const record = (revision: number, bytes = value) => ({
  key: "/k",
  value: bytes,
  revision,
  createRevision: 1,
  version: 2,
});
const put = (expected: number): Write => ({ op: "put", key: "/k", value, expected, note });
const event = (given: Partial<KeyEvent>): KeyEvent => ({
  type: "put",
  key: "/k",
  revision: 9,
  record: record(9),
  previous: record(5),
  ...given,
});

describe("notes of this process's writes over etcd", () => {
  const cases: { name: string; write: Write; event: KeyEvent; has: boolean }[] = [
    { name: "a write is known by what it replaced and its bytes", write: put(5), event: event({}), has: true },
    { name: "a create replaced nothing", write: put(0), event: event({ previous: undefined }), has: true },
    {
      name: "another server was faster, with other bytes",
      write: put(5),
      event: event({ record: record(9, Buffer.from("two")) }),
      has: false,
    },
    { name: "a later write of the same bytes", write: put(5), event: event({ previous: record(7) }), has: false },
    { name: "another key", write: put(5), event: event({ key: "/other" }), has: false },
    {
      name: "a delete",
      write: { op: "delete", key: "/k", expected: 5, note },
      event: event({ type: "delete", record: undefined }),
      has: true,
    },
    { name: "a put is no delete", write: { op: "delete", key: "/k", expected: 5, note }, event: event({}), has: false },
  ];
  for (const each of cases)
    it(`${each.name}: ${each.has ? "noted" : "not noted"}`, () => {
      const notes = new OwnNotes();
      const end = notes.begin([each.write]);
      expect(notes.noted(each.event).note).toEqual(each.has ? note : undefined);
      end();
      expect(notes.noted(each.event).note).toBeUndefined();
    });
});
