import type { Transport } from "@coxswain/client/transport";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessTransport } from "../../server/in-process/in-process.js";
import { dropsManagedFields } from "./dropping-form.js";
import { withoutManagedFields } from "./managed-fields-cut.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const dropping = "drop=metadata.managedFields";
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const metadata = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

async function serve(featureGates?: ReadonlyMap<string, string>): Promise<{ server: ApiServer; transport: Transport }> {
  // The time of day stands still: a Table has the age of its rows.
  const runtime = systemRuntime({ clock: { ...systemClock, now: () => 1_800_000_000_000 } });
  const api = { ...(featureGates && { featureGates }) };
  const server = await startApiServer({ runtime, store: createMemoryStore({ runtime }), api });
  const transport = createInProcessTransport(server, { user: { name: "admin", groups: ["system:masters"] } });
  const value = { metadata: { name: "a", annotations: { note: '"managedFields":[1' } }, data: { x: "1" } };
  await transport.send({ method: "POST", path: configMaps, body: { as: "value", value } });
  return { server, transport };
}

/** The answer's text. */
async function read(
  { send }: Transport,
  accept: string,
  path = configMaps,
  query: [string, string][] = [],
): Promise<string> {
  return new TextDecoder().decode(await (await send({ method: "GET", path, query, headers: { accept } })).bytes());
}

describe("answers without managed fields", () => {
  let on: Awaited<ReturnType<typeof serve>>;
  let off: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    on = await serve(new Map([["ManagedFieldsOptOut", "true"]]));
    off = await serve();
  });
  afterAll(async () => {
    await on.server.stop();
    await off.server.stop();
  });

  const forms = [
    { name: "a list", accept: "application/json", path: configMaps },
    { name: "one object", accept: "application/json", path: `${configMaps}/a` },
    { name: "a Table", accept: table, path: configMaps },
    { name: "a Table of whole objects", accept: table, path: configMaps, query: [["includeObject", "Object"]] },
    { name: "metadata", accept: metadata, path: configMaps },
    { name: "pretty", accept: "application/json", path: `${configMaps}/a`, query: [["pretty", "1"]] },
  ] as const;
  for (const { name, accept, path, ...rest } of forms)
    it(`${name}: the same but for that member, where the gate is on`, async () => {
      const query = "query" in rest ? rest.query.map(([key, value]): [string, string] => [key, value]) : [];
      const strip = (text: string): unknown =>
        JSON.parse(text, (key, value) => (key === "managedFields" ? undefined : (value as unknown)));
      const whole = await read(on.transport, `${accept};q=1`, path, query);
      const less = await read(on.transport, `${accept};${dropping}`, path, query);
      expect(whole).toContain('"managedFields":');
      expect(less).not.toMatch(/"managedFields": ?\[\s*\{/);
      expect(strip(less)).toEqual(strip(whole));
      expect(await read(off.transport, `${accept};${dropping}`, path, query)).toContain('"managedFields":');
    });

  it("events of a watch, of Tables and of objects", async () => {
    for (const accept of ["application/json", table]) {
      const chunks = await on.transport.send({
        method: "GET",
        path: configMaps,
        query: [
          ["watch", "true"],
          ["timeoutSeconds", "1"],
        ],
        headers: { accept: `${accept};${dropping}` },
      });
      const text = new TextDecoder().decode(await chunks.bytes());
      expect(text).toContain('"name":"a"');
      expect(text).not.toMatch(/"managedFields": ?\[\s*\{/);
    }
  });

  const accepts = [
    { accept: `application/json;${dropping}`, drops: true },
    { accept: "application/json; drop=metadata.annotations+metadata.managedFields", drops: true },
    { accept: "application/json;drop=", drops: false },
    { accept: "application/json;drop=metadata.labels", drops: false },
    { accept: "application/json", drops: false },
    { accept: undefined, drops: false },
  ];
  for (const { accept, drops } of accepts)
    it(`Accept: ${accept}: ${drops ? "dropped" : "kept"}`, () => expect(dropsManagedFields(accept)).toBe(drops));

  const cuts = [
    { name: "the last member", given: '{"a":1,"managedFields":[{"x":"]"}]}', left: '{"a":1}' },
    { name: "the first of two", given: '{"managedFields":[[],"\\"]"],"a":1}', left: '{"a":1}' },
    { name: "the only one", given: '{"managedFields":[]}', left: "{}" },
    { name: "in a text only", given: '{"a":"\\"managedFields\\":[1]"}', left: '{"a":"\\"managedFields\\":[1]"}' },
  ];
  for (const { name, given, left } of cuts)
    it(`cut: ${name}`, () => expect(Buffer.from(withoutManagedFields(Buffer.from(given))).toString()).toBe(left));
});
