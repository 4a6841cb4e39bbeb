import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterEach, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../../server/compose/api-server.js";
import { createInProcessClient } from "../../../server/in-process/in-process-client.js";
import { portRecordKey } from "../port-record.js";

interface Item {
  metadata: { name: string; namespace?: string; uid?: string };
  [member: string]: unknown;
}

interface ListedEvent {
  regarding: { kind: string; name: string };
  type: string;
  reason: string;
  action: string;
  note: string;
  reportingController: string;
  reportingInstance: string;
  series?: { count: number };
}

describe("what services hold is repaired", () => {
  let server: ApiServer;
  afterEach(() => server.stop());

  async function start() {
    const clock = createVirtualClock();
    const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
    server = await startApiServer({
      runtime: testRuntime(1, { clock, ioClock: clock }),
      store,
      services: { clusterIpRanges: ["10.0.0.0/24"] },
      identity: { hostname: "vm" },
    });
    const client = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const request = (method: string, path: string, body?: unknown): Promise<Item> =>
      client.request({ method, path, ...(body !== undefined && { body }) }) as Promise<Item>;
    const service = (name: string, spec: object): Promise<Item> =>
      request("POST", "/api/v1/namespaces/default/services", {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name },
        spec: { ports: [{ port: 80 }], ...spec },
      });
    const events = async () => {
      const { items } = (await request("GET", "/apis/events.k8s.io/v1/namespaces/default/events")) as unknown as {
        items: ListedEvent[];
      };
      return items.map(({ regarding, type, reason, action, note, reportingController, reportingInstance, series }) => ({
        about: `${regarding.kind} ${regarding.name}`,
        type,
        reason,
        action,
        note,
        by: `${reportingController} ${reportingInstance}`,
        count: series?.count ?? 1,
      }));
    };
    return { clock, store, request, service, events };
  }
  const addresses = "/apis/networking.k8s.io/v1/ipaddresses";

  it("an IPAddress that was deleted is made again a second later, and its service gets an event; the second time it is counted", async () => {
    const { clock, request, service, events } = await start();
    await service("a", { clusterIP: "10.0.0.77" });
    for (const count of [1, 2]) {
      await request("DELETE", `${addresses}/10.0.0.77`);
      await clock.advance(1000);
      expect(await request("GET", `${addresses}/10.0.0.77`)).toMatchObject({
        spec: { parentRef: { resource: "services", namespace: "default", name: "a" } },
      });
      expect(await events()).toEqual([
        {
          about: "Service a",
          type: "Warning",
          reason: "ClusterIPNotAllocated",
          action: "ClusterIPAllocation",
          note: "Cluster IP [IPv4]: 10.0.0.77 is not allocated; repairing",
          by: "ipallocator-repair-controller ipallocator-repair-controller-vm",
          count,
        },
      ]);
    }
  });

  it("an IPAddress of a service that never came goes after a minute", async () => {
    const { clock, request, events } = await start();
    await request("POST", addresses, {
      metadata: {
        name: "10.0.0.78",
        labels: {
          "ipaddress.kubernetes.io/ip-family": "IPv4",
          "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
        },
      },
      spec: { parentRef: { resource: "services", namespace: "default", name: "none" } },
    });
    await clock.advance(58_000);
    await request("GET", `${addresses}/10.0.0.78`);
    await clock.advance(5000);
    await expect(request("GET", `${addresses}/10.0.0.78`)).rejects.toThrow("not found");
    expect(await events()).toMatchObject([
      {
        about: "IPAddress 10.0.0.78",
        reason: "IPAddressNotAllocated",
        note: "IPAddress: 10.0.0.78 for Service default/none appears to have leaked: cleaning up",
      },
    ]);
  });

  it("services that come, change and go are left alone", async () => {
    const { clock, request, service, events } = await start();
    await service("a", { type: "NodePort" });
    await clock.advance(2000);
    const made = await request("GET", "/api/v1/namespaces/default/services/a");
    await request("PUT", "/api/v1/namespaces/default/services/a", {
      ...made,
      spec: { type: "ExternalName", externalName: "example.com" },
    });
    await clock.advance(400_000);
    await request("DELETE", "/api/v1/namespaces/default/services/a");
    await clock.advance(400_000);
    expect(await events()).toEqual([]);
  });

  it("node ports that the record lost are recorded again, and given to nobody else", async () => {
    const { clock, store, service, events } = await start();
    await service("a", { type: "NodePort", ports: [{ port: 80, nodePort: 30_777 }] });
    const record = await store.get(portRecordKey);
    await store.put({
      key: portRecordKey,
      value: new TextEncoder().encode('{"kind":"RangeAllocation","apiVersion":"v1","range":"30000-32767","data":""}'),
      expected: record?.revision ?? 0,
    });
    await clock.advance(181_000);
    expect(await events()).toMatchObject([
      {
        about: "Service a",
        reason: "PortNotAllocated",
        action: "PortAllocation",
        note: "Port 30777 is not allocated; repairing",
        by: "portallocator-repair-controller portallocator-repair-controller-vm",
      },
    ]);
    await expect(service("b", { type: "NodePort", ports: [{ port: 80, nodePort: 30_777 }] })).rejects.toThrow(
      "provided port is already allocated",
    );
  });
});
