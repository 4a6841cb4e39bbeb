import { describe, expect, it } from "vitest";
import type { Commit } from "../history/committed-log.js";
import type { Operation, Outcome, Request, SeenEvent, SeenObject, WatchSegment } from "../history/operation.js";
import { checkHistory } from "./check-history.js";

const object = (write: string, revision: number, uid = "u1", key = "x"): SeenObject => ({
  key,
  revision,
  uid,
  content: { write },
});
const put = (revision: number, write: string, uid = "u1", key = "x"): Commit => ({
  revision,
  key,
  value: { uid, content: { write } },
});
const gone = (revision: number, key = "x"): Commit => ({ revision, key, value: undefined });
const operation = (id: string, [began, ended]: [number, number], request: Request, outcome: Outcome): Operation => ({
  id,
  server: 0,
  began,
  ended,
  request,
  outcome,
});
const write = (id: string, revision: number, times: [number, number], request: Partial<Request> = {}): Operation => {
  const full = { verb: "replace", key: "x", content: { write: id }, ...request } as Request;
  return operation(id, times, full, { kind: "done", object: object(id, revision) });
};
const create = (id: string, revision: number, times: [number, number]): Operation =>
  write(id, revision, times, { verb: "create" });
const get = (times: [number, number], seen: SeenObject | undefined, read: "newest" | "any" = "newest"): Operation => {
  const outcome: Outcome = seen ? { kind: "done", object: seen } : { kind: "absent" };
  return operation("r", times, { verb: "get", key: "x", read }, outcome);
};
const deletion = (times: [number, number], outcome: Outcome): Operation =>
  operation("d", times, { verb: "delete", key: "x" }, outcome);
const list = (times: [number, number], revision: number, objects: SeenObject[], exactly?: number): Operation =>
  operation(
    "l",
    times,
    { verb: "list", read: exactly === undefined ? "newest" : { exactly } },
    { kind: "listed", revision, objects },
  );
const event = (type: "ADDED" | "MODIFIED" | "DELETED", seen: SeenObject, at = 1000): SeenEvent => ({
  type,
  object: seen,
  at,
});
const bookmark = (revision: number): SeenEvent => ({ type: "BOOKMARK", revision, at: 1000 });
const watch = (from: number, ...events: SeenEvent[]): WatchSegment => ({ watcher: "w", server: 0, from, events });

// x is created at 10 by "a", replaced at 12 by "b", and deleted at 15.
const [a, b] = [create("a", 10, [0, 10]), write("b", 12, [20, 30])];
const commits = [put(10, "a"), put(12, "b")];
const withDeletion = [...commits, gone(15)];
const deleted = deletion([40, 50], { kind: "done", deletedUid: "u1" });
const [added, modified] = [event("ADDED", object("a", 10)), event("MODIFIED", object("b", 12))];
const removed = event("DELETED", object("b", 15));

interface Case {
  readonly name: string;
  readonly operations?: readonly Operation[];
  readonly watches?: readonly WatchSegment[];
  readonly commits?: readonly Commit[];
  /** Undefined: accepted. */
  readonly problem?: RegExp;
}

const unknownWrite: Outcome = { kind: "unknown", reason: "lost" };
const unknown = (id: string, began: number, request: Partial<Request> = {}): Operation => ({
  ...write(id, 0, [began, began + 5], request),
  outcome: unknownWrite,
});

const writeCases: readonly Case[] = [
  { name: "what was acknowledged and is there is accepted", operations: [a, b, deleted], commits: withDeletion },
  { name: "an acknowledged write that is not there is lost", commits: [put(10, "a")], problem: /b .* is lost/ },
  { name: "an acknowledged deletion that is not there is lost", operations: [a, b, deleted], problem: /d .* is lost/ },
  { name: "a change by nobody is an invention", commits: [...commits, put(13, "z")], problem: /13 .* by nobody/ },
  { name: "a deletion by nobody is an invention", commits: withDeletion, problem: /nobody deleted x/ },
  { name: "a write that is there twice was repeated", commits: [...commits, put(13, "b")], problem: /was done twice/ },
  {
    name: "a refused write that is there was no refusal",
    operations: [a, { ...b, outcome: { kind: "refused", reason: "503" } }],
    problem: /b .* was refused \(refused\), but is revision 12/,
  },
  { name: "an answer with another revision is wrong", operations: [a, write("b", 11, [20, 30])], problem: /but is 12/ },
  {
    name: "a replacement of another version than it was made from is a lost update",
    operations: [a, b, write("c", 14, [40, 50], { verb: "replace", expected: 10 })],
    commits: [...commits, put(14, "c")],
    problem: /a lost update: it replaced 12, and was made from 10/,
  },
  {
    name: "a patch that takes a member of another away is a lost update",
    operations: [
      operation("a", [0, 10], { verb: "create", key: "x", content: { write: "a", one: "a" } }, unknownWrite),
      operation("b", [20, 30], { verb: "merge", key: "x", content: { write: "b", two: "b" } }, unknownWrite),
    ],
    commits: [
      { revision: 10, key: "x", value: { uid: "u1", content: { write: "a", one: "a" } } },
      { revision: 12, key: "x", value: { uid: "u1", content: { write: "b", two: "b" } } },
    ],
    problem: /a lost update: .* instead of .*"one":"a"/,
  },
  {
    name: "a creation of what is there is wrong",
    operations: [a, create("b", 12, [20, 30])],
    problem: /created, although it was there/,
  },
  { name: "a write that nobody answered may be there", operations: [a, unknown("b", 20)] },
  { name: "or not", operations: [a, unknown("b", 20)], commits: [put(10, "a")] },
  { name: "or come later", operations: [a, unknown("b", 20), get([50, 60], object("a", 10))] },
];

const orderCases: readonly Case[] = [
  { name: "a read may see a write that is under way", operations: [a, b, get([21, 22], object("b", 12))] },
  { name: "or not", operations: [a, b, get([21, 22], object("a", 10))] },
  {
    name: "but not after another has seen it",
    operations: [a, b, get([21, 22], object("b", 12)), get([23, 24], object("a", 10))],
    problem: /r on .* is stale or invented/,
  },
  {
    name: "a read of the newest that misses an acknowledged write is stale",
    operations: [a, b, get([40, 41], object("a", 10))],
    problem: /is stale or invented: 10 is not there from revision 12 on/,
  },
  { name: "a read of any version may miss it", operations: [a, b, get([40, 41], object("a", 10), "any")] },
  {
    name: "nothing there, after an acknowledged creation, is stale",
    operations: [a, b, get([15, 16], undefined)],
    problem: /nothing is not there from revision 10 on/,
  },
  {
    name: "a write before what was answered before it was sent is out of order",
    operations: [a, b, create("c", 11, [40, 50])].map((one) =>
      one.id === "c" ? { ...one, request: { verb: "create", key: "y", content: { write: "c" } } as Request } : one,
    ),
    commits: [put(10, "a"), put(11, "c", "u2", "y"), put(12, "b")],
    problem: /has revision 11, but 12 was answered before it was sent/,
  },
  {
    name: "a value that is read before it is written is an invention",
    operations: [a, get([12, 13], object("b", 12)), b],
    problem: /r on .* is stale or invented: 12 is not there from revision 10 on, before 12/,
  },
  {
    name: "a conflict with nothing is no refusal",
    operations: [
      a,
      operation(
        "c",
        [12, 13],
        { verb: "replace", key: "x", content: { write: "c" }, expected: 10 },
        { kind: "conflict" },
      ),
      { ...b, began: 14 },
    ],
    problem: /c .* was refused without a reason/,
  },
];

const readCases: readonly Case[] = [
  { name: "a list is the state at its revision", operations: [a, b, list([40, 41], 13, [object("b", 12)])] },
  {
    name: "a list that lacks an object is wrong",
    operations: [a, b, list([40, 41], 13, [])],
    problem: /has x at undef/,
  },
  {
    name: "a list with an older version is wrong",
    operations: [a, b, list([40, 41], 13, [object("a", 10)])],
    problem: /has x at 10, where 12 stood/,
  },
  {
    name: "a list of the newest whose revision goes back is stale",
    operations: [a, b, list([40, 41], 11, [object("a", 10)])],
    problem: /is stale: revision 11, but 12/,
  },
  { name: "a list of an exact revision may be old", operations: [a, b, list([40, 41], 11, [object("a", 10)], 11)] },
  {
    name: "but not of another one",
    operations: [a, b, list([40, 41], 11, [object("a", 10)], 10)],
    problem: /is of 11 instead of 10/,
  },
  {
    name: "a version that never was is an invention",
    operations: [a, b, get([40, 41], object("z", 11), "any")],
    problem: /has 11, which never was/,
  },
];

const watchCases: readonly Case[] = [
  {
    name: "a watch that delivers the log is accepted",
    watches: [watch(0, added, bookmark(11), modified, bookmark(14), removed)],
  },
  { name: "also one that ends early, and one that goes on", watches: [watch(0, added), watch(10, modified, removed)] },
  { name: "a missing event is a gap", watches: [watch(0, added, removed)], problem: /MODIFIED x 12 is missing before/ },
  { name: "also the first after going on", watches: [watch(10, removed)], problem: /MODIFIED x 12 is missing/ },
  { name: "an event twice is wrong", watches: [watch(0, added, added)], problem: /ADDED x 10 again/ },
  { name: "also of what was seen before going on", watches: [watch(10, added)], problem: /ADDED x 10 again/ },
  { name: "events out of order are wrong", watches: [watch(0, modified, added)], problem: /is missing before/ },
  {
    name: "an event that never happened is an invention",
    watches: [watch(0, added, event("MODIFIED", object("z", 11)))],
    problem: /MODIFIED x 11 never happened/,
  },
  {
    name: "an event with another content is wrong",
    watches: [watch(0, event("ADDED", object("z", 10)))],
    problem: /instead of ADDED x 10/,
  },
  {
    name: "an event of another type is wrong",
    watches: [watch(10, event("ADDED", object("b", 12)))],
    problem: /ADDED x 12 instead of MODIFIED/,
  },
  {
    name: "a bookmark ahead of an event is wrong",
    watches: [watch(0, added, bookmark(12), modified)],
    problem: /the bookmark 12 is ahead of 12/,
  },
  {
    name: "a bookmark that goes back is wrong",
    watches: [watch(12, bookmark(14), bookmark(13))],
    problem: /the bookmark 13 goes back behind 14/,
  },
  {
    name: "an event before its write was sent is an invention",
    watches: [watch(0, event("ADDED", object("a", 10), -1))],
    problem: /arrived before it was written/,
  },
  {
    name: "to a selector an object comes and goes as it matches",
    watches: [{ ...watch(0, added, event("DELETED", object("a", 12))), selector: { member: "write", value: "a" } }],
  },
];

const check = ({ operations = [a, b], watches = [], commits: log = commits }: Case): string[] =>
  checkHistory({ operations, watches }, log);
const suites: Readonly<Record<string, readonly Case[]>> = {
  writes: writeCases,
  "the order": orderCases,
  reads: readCases,
  watches: watchCases.map((one) => ({ operations: [a, b, deleted], commits: withDeletion, ...one })),
};
for (const [name, cases] of Object.entries(suites))
  describe(`the check of ${name}`, () => {
    for (const one of cases)
      it(one.name, () => {
        const problems = check(one);
        if (one.problem) expect(problems.join("\n")).toMatch(one.problem);
        else expect(problems).toEqual([]);
      });
  });
