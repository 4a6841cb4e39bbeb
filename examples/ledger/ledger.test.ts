import { describeApi } from "@coxswain/apiserver/describe-api";
import { createApiServer, createInProcessClient, createInProcessTransport } from "@coxswain/apiserver/library";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { ledger } from "./ledger.js";
import { Table } from "./table.js";

const user = { name: "me", groups: ["system:masters"] };
const open = async (table: Table) =>
  createApiServer({ groups: [ledger(table)], store: createMemoryStore({ runtime: systemRuntime() }) });

describeApi("the rows of a table", {
  async open() {
    const server = await open(new Table());
    return { transport: createInProcessTransport(server, { user }), stop: () => server.stop() };
  },
  group: "ledger.example.com",
  version: "v1",
  plural: "entries",
  namespaced: true,
  valid: () => ({ spec: { cents: 100 } }),
  change: { spec: { cents: 200 } },
  invalid: { "no amount": { spec: {} }, "too much text": { spec: { cents: 1, text: "x".repeat(81) } } },
});

it("what another program writes into the table is there", async () => {
  const table = new Table();
  const server = await open(table);
  const document = JSON.stringify({ metadata: { uid: "7" }, spec: {} });
  await table.write({ branch: "north", entry: "rent", cents: 90_000, document }, undefined);
  const client = createInProcessClient(server, { user });
  const path = "/apis/ledger.example.com/v1/namespaces/north/entries";
  expect(await client.request({ method: "GET", path })).toMatchObject({ items: [{ spec: { cents: 90_000 } }] });
  const headers = { "content-type": "application/merge-patch+json" };
  await client.request({ method: "PATCH", path: `${path}/rent`, headers, body: { spec: { cents: 1 } } });
  expect((await table.find("north", "rent"))?.cents).toBe(1);
  await server.stop();
});
