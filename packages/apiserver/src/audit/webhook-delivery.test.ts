import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterEach, describe, expect, it } from "vitest";
import { startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";
import type { AuditEvent } from "./audit-event.js";
import type { Delivery } from "./create-audit.js";

interface EventList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly AuditEvent[];
}

let service: Server;
afterEach(() => {
  service.closeAllConnections();
  service.close();
});

/** A service that keeps what it is sent and answers as the test sets. */
async function listen(
  answer: (response: ServerResponse, list: EventList) => void,
): Promise<{ url: string; lists: EventList[] }> {
  const lists: EventList[] = [];
  service = createServer((request, response) => {
    void text(request).then((body) => {
      lists.push(JSON.parse(body) as EventList);
      answer(response, lists.at(-1) as EventList);
    });
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  return { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/events`, lists };
}

const batch: Delivery = { mode: "batch", batch: { bufferSize: 1000, maxBatchSize: 4, maxWaitMs: 30_000 } };

async function start(url: string, delivery: Delivery) {
  const connection = { server: url, insecure: false };
  const audit = {
    policy: { rules: [{ level: "Metadata" as const }] },
    webhook: { connection, initialBackoffMs: 1, delivery },
  };
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    audit,
  });
  const transport = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
  return {
    server,
    get: (name: string) =>
      transport
        .request({ method: "GET", path: `/api/v1/namespaces/${name}`, headers: { "audit-id": name } })
        .catch(() => undefined),
  };
}

const names = Array.from({ length: 10 }, (_, index) => `name-${index}`);
const stagesOf = (lists: readonly EventList[]): string[] =>
  lists.flatMap(({ items }) => items.map(({ auditID, stage }) => `${auditID} ${stage}`)).sort();
const allStages = names.flatMap((name) => [`${name} RequestReceived`, `${name} ResponseComplete`]).sort();

describe("the audit webhook", () => {
  it("that does not answer holds up no request in batch mode, and has got everything when the server has ended", async () => {
    const held: ServerResponse[] = [];
    let isOpen = false;
    const { url, lists } = await listen((response) => (isOpen ? response.end("thanks") : held.push(response)));
    const { server, get } = await start(url, batch);
    for (const name of names) await get(name);
    isOpen = true;
    for (const response of held) response.end("thanks");
    await server.stop();
    expect(stagesOf(lists)).toEqual(allStages);
    expect(lists.map(({ kind, apiVersion, items }) => `${kind} ${apiVersion} ${items.length}`)).toEqual(
      Array(5).fill("EventList audit.k8s.io/v1 4"),
    );
    expect(Object.keys(lists[0]?.items[0] ?? {})[0], "what an event is stands at the list alone").toBe("level");
  });

  it("that fails is sent the same again", async () => {
    let failures = 0;
    const { url, lists } = await listen((response) => {
      response.statusCode = failures < 3 ? 500 : 200;
      if (failures < 3) failures += 1;
      response.end();
    });
    const { server, get } = await start(url, batch);
    for (const name of names) await get(name);
    await server.stop();
    expect([...new Set(stagesOf(lists))]).toEqual(allStages);
    expect(lists.length).toBe(5 + 3);
    expect(server.metrics.text()).not.toContain("apiserver_audit_error_total{");
  });

  it("that never takes anything loses events, and reports that", async () => {
    const { url } = await listen((response) => {
      response.statusCode = 403;
      response.end();
    });
    const { server, get } = await start(url, batch);
    for (const name of names) await get(name);
    await server.stop();
    expect(server.metrics.text()).toContain('apiserver_audit_error_total{plugin="webhook"} 20');
  });

  it("has received the event before a request is served in blocking-strict mode, and refuses it otherwise", async () => {
    let code = 200;
    const { url, lists } = await listen((response) => {
      response.statusCode = code;
      response.end();
    });
    const { server, get } = await start(url, { ...batch, mode: "blocking-strict" });
    await get("one");
    expect(stagesOf(lists)).toEqual(["one RequestReceived", "one ResponseComplete"]);
    code = 500;
    await get("two");
    await server.stop();
    expect(server.metrics.text()).toContain("apiserver_audit_requests_rejected_total 1");
  });
});
