import { type Message, type ResourceRecord, recordTypes } from "@coxswain/wire/dns";
import { describe, expect, it } from "vitest";
import { resolveName } from "./resolve-name.js";
import { queryOf } from "./server/loop-probe.js";

const head = { class: 1, ttl: 5 };
const known: readonly ResourceRecord[] = [
  { ...head, name: "web.shop.svc.cluster.local", type: "A", address: "10.96.0.7" },
  { ...head, name: "example.com", type: "A", address: "192.0.2.1" },
  {
    ...head,
    name: "_http._tcp.web.shop.svc.cluster.local",
    type: "SRV",
    priority: 0,
    weight: 100,
    port: 80,
    target: "web.shop.svc.cluster.local",
  },
];
const dns = {
  resolve: async (name: string, type: number): Promise<Message> => ({
    ...queryOf(0, { name, type, class: 1 }),
    answers: known.filter(
      (record) => record.name === name && record.type !== "other" && recordTypes[record.type] === type,
    ),
  }),
};

const cases = [
  { name: "web.shop", type: "A", is: ["10.96.0.7"] },
  { name: "web.shop.svc", type: "A", is: ["10.96.0.7"] },
  { name: "web.shop.svc.cluster.local", type: "A", is: ["10.96.0.7"] },
  { name: "web.shop.svc.cluster.local.", type: "A", is: ["10.96.0.7"] },
  { name: "web.shop.", type: "A", is: [] },
  { name: "example.com", type: "A", is: ["192.0.2.1"] },
  { name: "web.shop", type: "AAAA", is: [] },
  { name: "_http._tcp.web.shop", type: "srv", is: ["0 100 80 web.shop.svc.cluster.local"] },
];

describe("names as pods search them", () => {
  for (const { name, type, is } of cases)
    it(`${name} ${type}`, async () =>
      expect(await resolveName(dns, { name, type, domain: "cluster.local" })).toEqual(is));

  it("an unknown type is refused", async () => {
    await expect(resolveName(dns, { name: "web", type: "B", domain: "cluster.local" })).rejects.toThrow(
      'type of DNS records "B"',
    );
  });
});
