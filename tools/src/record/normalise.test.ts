import { describe, expect, it } from "vitest";
import type { Json } from "./json.js";
import { normalise } from "./normalise.js";
import type { RawAnswer } from "./raw-answer.js";

const uidA = "0b3f0a3c-1111-4222-8333-944445555666";
const uidB = "9c1d2e3f-1111-4222-8333-944445555666";

const answer = (body: Json, more: Partial<RawAnswer> = {}): RawAnswer => ({
  step: { name: "s", method: "GET", path: "/" },
  status: 200,
  headers: {},
  body,
  ...more,
});
const bodies = (answers: RawAnswer[], caseText = ""): unknown[] => normalise(answers, caseText).map(({ body }) => body);
const object = (metadata: Json): Json => ({ metadata });
const table = (columns: string[], ...rows: Json[][]): Json => ({
  columnDefinitions: columns.map((name) => ({ name })),
  rows: rows.map((cells) => ({ cells })),
});

describe("normalise", () => {
  const cases: { name: string; given: Json[]; caseText?: string; want: unknown[] }[] = [
    {
      name: "uids are numbered by first appearance, in messages too",
      given: [
        { metadata: { uid: uidB } },
        { metadata: { uid: uidA } },
        { message: `UID in precondition: ${uidA}, UID in object meta: ${uidB}` },
      ],
      want: [
        { metadata: { uid: "<uid:1>" } },
        { metadata: { uid: "<uid:2>" } },
        { message: "UID in precondition: <uid:2>, UID in object meta: <uid:1>" },
      ],
    },
    {
      name: "a uid that the case itself sends stays",
      given: [{ message: `UID in precondition: ${uidA}` }],
      caseText: `{"uid":"${uidA}"}`,
      want: [{ message: `UID in precondition: ${uidA}` }],
    },
    {
      name: "resource versions are numbered in their own order, whichever comes first",
      given: [object({ resourceVersion: "41" }), object({ resourceVersion: "7" }), object({ resourceVersion: "41" })],
      want: [
        object({ resourceVersion: "<rv:2>" }),
        object({ resourceVersion: "<rv:1>" }),
        object({ resourceVersion: "<rv:2>" }),
      ],
    },
    {
      name: "a list's resource version is at or after that of an object",
      given: [
        object({ resourceVersion: "7" }),
        { metadata: { resourceVersion: "9" }, items: [] },
        { metadata: { resourceVersion: "7" }, items: [] },
      ],
      want: [
        object({ resourceVersion: "<rv:1>" }),
        { metadata: { resourceVersion: "<rv:1+>" }, items: [] },
        { metadata: { resourceVersion: "<rv:1+>" }, items: [] },
      ],
    },
    {
      name: "so is a bookmark's",
      given: [object({ resourceVersion: "7" }), { type: "BOOKMARK", object: { metadata: { resourceVersion: "12" } } }],
      want: [
        object({ resourceVersion: "<rv:1>" }),
        { type: "BOOKMARK", object: { metadata: { resourceVersion: "<rv:1+>" } } },
      ],
    },
    {
      name: "resource versions in messages: known, sent by the case, and unknown",
      given: [
        object({ resourceVersion: "7" }),
        { message: "ResourceVersion in precondition: 999, ResourceVersion in object meta: 7" },
        { message: "Too large resource version: 999, current: 1234" },
      ],
      caseText: "resourceVersion=999",
      want: [
        object({ resourceVersion: "<rv:1>" }),
        { message: "ResourceVersion in precondition: 999, ResourceVersion in object meta: <rv:1>" },
        { message: "Too large resource version: 999, current: <rv:1+>" },
      ],
    },
    {
      name: "resource versions in objects that a message quotes",
      given: [
        object({ resourceVersion: "7" }),
        { message: 'Invalid value: "{\\"resourceVersion\\":\\"7\\"}"' },
        'metadata:\n  resourceVersion: "8"\n',
      ],
      caseText: "v8",
      want: [
        object({ resourceVersion: "<rv:1>" }),
        { message: 'Invalid value: "{\\"resourceVersion\\":\\"<rv:1>\\"}"' },
        'metadata:\n  resourceVersion: "<rv>"\n',
      ],
    },
    {
      name: "times become placeholders unless the case set them",
      given: [
        {
          a: "2026-01-02T03:04:05Z",
          b: "2026-01-02T03:04:05.123456Z",
          c: "2020-01-01T00:00:00Z",
          d: "at 2026-01-02T03:04:05Z",
        },
      ],
      caseText: "2020-01-01T00:00:00Z",
      want: [{ a: "<time>", b: "<microtime>", c: "2020-01-01T00:00:00Z", d: "at <time>" }],
    },
    {
      name: "generated names are recognised wherever they appear again",
      given: [object({ generateName: "web-", name: "web-x7k2p" }), { message: 'configmaps "web-x7k2p" not found' }],
      want: [
        object({ generateName: "web-", name: "web-<generated:1>" }),
        { message: 'configmaps "web-<generated:1>" not found' },
      ],
    },
    {
      name: "also the name of an object that was refused, cut to its length",
      given: [{ details: { name: "Bad_24nx5" } }, { details: { name: `${"a".repeat(58)}24nx5` } }],
      caseText: `{"generateName":"Bad_"} {"generateName":"${"a".repeat(300)}"}`,
      want: [{ details: { name: "Bad_<generated:1>" } }, { details: { name: `${"a".repeat(58)}<generated:2>` } }],
    },
    {
      name: "a name that was given stays, although there is a generateName",
      given: [object({ generateName: "web-", name: "mine" })],
      want: [object({ generateName: "web-", name: "mine" })],
    },
    {
      name: "continue tokens only have to be there",
      given: [
        { metadata: { continue: "eyJ2IjoibWV0YS5rOHMuaW8", remainingItemCount: 3 }, items: [] },
        { metadata: { continue: "" }, items: [] },
      ],
      want: [
        { metadata: { continue: "<continue>", remainingItemCount: 3 }, items: [] },
        { metadata: { continue: "" }, items: [] },
      ],
    },
    {
      name: "a CronJob's last schedule goes, since it is counted until now; that there was none stays",
      given: [table(["Name", "Last Schedule"], ["a", "319d"], ["b", "<none>"])],
      want: [table(["Name", "Last Schedule"], ["a", "<age>"], ["b", "<none>"])],
    },
    {
      name: "a Job's duration goes, unless the Job is complete: then it lies between two times of its status",
      given: [
        table(["Status", "Duration"], ["Running", "319d"], ["Complete", "60m"], ["Failed", "2h"], ["Suspended", ""]),
      ],
      want: [
        table(
          ["Status", "Duration"],
          ["Running", "<age>"],
          ["Complete", "60m"],
          ["Failed", "<age>"],
          ["Suspended", ""],
        ),
      ],
    },
    {
      name: "ages in a Table go, and the text of its columns' descriptions; other cells stay",
      given: [
        {
          columnDefinitions: [{ name: "Name", description: "Long text." }, { name: "Age" }],
          rows: [{ cells: ["a", "3s"] }, { cells: ["b", "<unknown>"] }],
        },
      ],
      want: [
        {
          columnDefinitions: [{ name: "Name", description: "<text>" }, { name: "Age" }],
          rows: [{ cells: ["a", "<age>"] }, { cells: ["b", "<unknown>"] }],
        },
      ],
    },
    {
      name: "addresses are numbered, None and the case's own stay",
      given: [
        { spec: { clusterIP: "10.0.0.7", clusterIPs: ["10.0.0.7"] } },
        { spec: { clusterIP: "None" } },
        { spec: { clusterIP: "10.0.0.9" } },
      ],
      caseText: "10.0.0.9",
      want: [
        { spec: { clusterIP: "<ip:1>", clusterIPs: ["<ip:1>"] } },
        { spec: { clusterIP: "None" } },
        { spec: { clusterIP: "10.0.0.9" } },
      ],
    },
    {
      name: "prose goes from OpenAPI documents, a property called description stays",
      given: [
        { openapi: "3.0.0", description: "x", properties: { description: { type: "string", description: "y" } } },
        { description: "kept" },
      ],
      want: [{ openapi: "3.0.0", properties: { description: { type: "string" } } }, { description: "kept" }],
    },
    {
      name: "who built a server is no part of its version",
      given: [{ major: "1", gitVersion: "v1.36.4", goVersion: "go1.26", platform: "linux/amd64" }],
      want: [{ major: "1", gitVersion: "v1.36.4", goVersion: "<build>", platform: "<build>" }],
    },
    {
      name: "the hash of an OpenAPI document is not compared",
      given: [{ paths: { "api/v1": { serverRelativeURL: `/openapi/v3/api/v1?hash=${"0AF3".repeat(32)}` } } }],
      want: [{ paths: { "api/v1": { serverRelativeURL: "/openapi/v3/api/v1?hash=<hash>" } } }],
    },
    {
      name: "a member called __proto__ stays a member",
      given: [JSON.parse('{"data":{"__proto__":"v"}}') as Json],
      want: [JSON.parse('{"data":{"__proto__":"v"}}')],
    },
  ];
  for (const c of cases) {
    it(c.name, () =>
      expect(
        bodies(
          c.given.map((body) => answer(body)),
          c.caseText,
        ),
      ).toStrictEqual(c.want),
    );
  }

  it("keeps the headers that matter, several warnings as a list", () => {
    const headers = {
      "content-type": "application/json",
      date: "now",
      "audit-id": uidA,
      etag: '"ABC"',
      warning: ['299 - "a"', '299 - "b"'],
    };
    expect(normalise([answer({}, { headers })], "")[0]?.headers).toEqual({
      "content-type": "application/json",
      etag: "<etag>",
      warning: ['299 - "a"', '299 - "b"'],
    });
  });

  it("keeps only the status of a quiet step, but learns from its body", () => {
    const quiet = answer(object({ resourceVersion: "5" }), {
      step: { name: "q", method: "POST", path: "/", quiet: true },
      status: 201,
    });
    const events: Json[] = [{ type: "ADDED", object: object({ resourceVersion: "5" }) }];
    expect(normalise([quiet, answer({}, { events })], "")).toEqual([
      { step: "q", status: 201 },
      {
        step: "s",
        status: 200,
        headers: {},
        body: {},
        events: [{ type: "ADDED", object: object({ resourceVersion: "<rv:1>" }) }],
      },
    ]);
  });
});
