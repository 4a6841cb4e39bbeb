import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import { systemRuntime } from "@coxswain/runtime";
import { type Clock, systemClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CacheEntry } from "../../cache/cache-entry.js";
import type { ListAnswer } from "../../request/answer.js";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createByteRequester } from "../../server/in-process/byte-requester.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";
import { indentJson } from "./indent-json.js";
import { jsonForm } from "./json-form.js";
import { listChunks } from "./list-chunks.js";
import { createPrettyForm } from "./pretty-form.js";
import { createYamlForm } from "./yaml-form.js";

/** Ages in a Table must not change between two reads. */
const stoppedClock: Clock = {
  now: () => Date.UTC(2026, 0, 1),
  monotonic: () => systemClock.monotonic(),
  setTimer: (ms, fire, kind) => systemClock.setTimer(ms, fire, kind),
};

const user = { name: "admin", groups: ["system:masters"] };
const path = "/api/v1/namespaces/default/configmaps";

describe("lists as YAML and as JSON for people", () => {
  let server: ApiServer;
  beforeAll(async () => {
    const runtime = systemRuntime({ clock: stoppedClock });
    server = await startApiServer({
      runtime,
      store: createMemoryStore({ runtime: systemRuntime({ clock: stoppedClock }) }),
    });
    const transport = createInProcessClient(server, { user });
    for (const [name, data] of Object.entries({
      a: { text: "line\nline\n", "more-text": "  x\n\n\n", long: "word ".repeat(60) },
      b: {},
      c: { empty: "", odd: "- x: #", number: "1" },
      d: { d: "x".repeat(500_000) },
    }))
      await transport.request({ method: "POST", path, body: { metadata: { name }, data } });
  });
  afterAll(() => server.stop());

  const read = async (url: string, accept: string): Promise<string> => {
    const signal = new AbortController().signal;
    const send = createByteRequester(server, user);
    const answer = await send({ method: "GET", path: url, headers: { accept }, signal });
    const parts: Buffer[] = [];
    for await (const chunk of answer.body) parts.push(Buffer.from(chunk));
    return Buffer.concat(parts).toString();
  };

  const table = ";as=Table;v=v1;g=meta.k8s.io";
  const cases = [
    { name: "a list", url: path, as: "" },
    { name: "a page", url: `${path}?limit=1`, as: "" },
    { name: "an empty list", url: "/api/v1/namespaces/none/configmaps", as: "" },
    { name: "a table", url: path, as: table },
    { name: "an empty table", url: "/api/v1/namespaces/none/configmaps", as: table },
    { name: "metadata", url: path, as: ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" },
  ];
  for (const { name, url, as } of cases) {
    it(`${name} in YAML is the same as if it were made at once`, async () =>
      expect(await read(url, `application/yaml${as}`)).toBe(
        stringifyYaml(JSON.parse(await read(url, `application/json${as}`))),
      ));
    it(`${name} that is indented is the same as if it were made at once`, async () =>
      expect(await read(`${url}${url.includes("?") ? "&" : "?"}pretty=true`, `application/json${as}`)).toBe(
        indentJson(await read(url, `application/json${as}`)),
      ));
  }

  for (const [name, form] of [
    ["YAML", createYamlForm(jsonForm)],
    ["indented JSON", createPrettyForm(jsonForm)],
  ] as const)
    it(`items become ${name} only when a chunk is asked for`, () => {
      const bytes = Buffer.from(`{"kind":"ConfigMap","apiVersion":"v1","data":{"x":"${"x".repeat(100_000)}"}}`);
      let read = 0;
      const entry = {
        get slab() {
          read += 1;
          return { bytes };
        },
        offset: 0,
        length: bytes.length,
      } as unknown as CacheEntry;
      const kind = { kind: "ConfigMap", listKind: "ConfigMapList", group: "", version: "v1", facts: {} };
      const answer = {
        as: "list",
        kind,
        entries: Array.from({ length: 1000 }, () => entry),
        resourceVersion: "1",
      } as unknown as ListAnswer;
      const chunks = listChunks(answer, form.list(answer));
      chunks.next();
      expect(read).toBeLessThan(10);
    });
});
