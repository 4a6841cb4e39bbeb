import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { readService, readSlice } from "../records/read-records.js";
import { createRecordIndex, type RecordIndex } from "../records/record-index.js";
import type { ClusterZones } from "./cluster-zones.js";

export const zones: ClusterZones = { domain: "cluster.local", ttl: 5, pods: "insecure", localAddresses: [] };

/** Seconds since 1970. */
export const serial = 1_800_000_000;

export const service = (name: string, spec: NonNullable<Service["spec"]>): Service => ({
  metadata: { name, namespace: "shop" },
  spec,
});

const http = [{ name: "http", port: 80, protocol: "TCP" as const }];

type Endpoints = NonNullable<EndpointSlice["endpoints"]>;

export const slice = (
  name: string,
  of: string,
  endpoints: Endpoints,
  more: Partial<EndpointSlice> = {},
): EndpointSlice => ({
  metadata: { name, namespace: "shop", labels: { "kubernetes.io/service-name": of } },
  addressType: "IPv4",
  ports: [{ name: "http", port: 8080, protocol: "TCP" }],
  endpoints,
  ...more,
});

/** Namespace `shop` with one service of each kind. */
export function shop(): RecordIndex {
  const records = createRecordIndex(createVirtualClock({ startMs: serial * 1000 }));
  records.isComplete = true;
  records.addNamespace("shop");
  records.addNamespace("empty");
  for (const one of [
    service("web", { clusterIP: "10.96.0.7", clusterIPs: ["10.96.0.7"], ports: http }),
    service("dual", {
      clusterIPs: ["10.96.0.8", "fd00:96::8"],
      ports: [...http, { name: "dns", port: 53, protocol: "UDP" }],
    }),
    service("pets", { clusterIP: "None", clusterIPs: ["None"], ports: http }),
    service("bare", { clusterIP: "None", clusterIPs: ["None"] }),
    service("nobody", { clusterIP: "None", clusterIPs: ["None"], ports: http }),
    service("outside", { type: "ExternalName", externalName: "www.example.com" }),
    service("inside", { type: "ExternalName", externalName: "web.shop.svc.cluster.local" }),
    service("nowhere", { type: "ExternalName", externalName: "no.shop.svc.cluster.local" }),
    service("ring", { type: "ExternalName", externalName: "ring2.shop.svc.cluster.local" }),
    service("ring2", { type: "ExternalName", externalName: "ring.shop.svc.cluster.local" }),
    service("unsendable", { type: "ExternalName", externalName: `${"x".repeat(64)}.example.com` }),
    service("numeric", { type: "ExternalName", externalName: "192.0.2.1" }),
  ])
    records.setService(readService(one));
  for (const one of [
    slice("web-1", "web", [{ addresses: ["10.1.0.7"] }]),
    slice("pets-1", "pets", [
      { addresses: ["10.1.0.1"], hostname: "rex", conditions: { ready: true } },
      { addresses: ["10.1.0.2"] },
      { addresses: ["10.1.0.3"], conditions: { ready: false } },
    ]),
    slice("pets-6", "pets", [{ addresses: ["fd00:1::"], hostname: "Rex" }], { addressType: "IPv6" }),
    slice("bare-1", "bare", [{ addresses: ["10.1.0.9"] }], { ports: [] }),
    slice("both-1", "other", [{ addresses: ["10.1.0.1"], hostname: "rex" }]),
  ])
    records.setSlice(readSlice(one)!);
  return records;
}
