import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { listerOf } from "../admission/attributes.test.support.js";
import { createClusterIpResolver, createEndpointResolver, type ServiceResolver } from "./service-resolver.js";

const service = (spec: object): object => ({
  spec: {
    type: "ClusterIP",
    clusterIP: "10.0.0.9",
    ports: [{ name: "https", port: 443 }],
    ipFamilies: ["IPv4"],
    ...spec,
  },
});
const slice = (more: object): object => ({
  metadata: { labels: { "kubernetes.io/service-name": "hook" } },
  addressType: "IPv4",
  ports: [{ name: "https", port: 9443 }],
  endpoints: [{ addresses: ["10.1.0.1"], conditions: { ready: true } }],
  ...more,
});

interface Case {
  readonly name: string;
  readonly service?: object;
  readonly slices?: readonly object[];
  readonly port?: number;
  readonly address?: string;
  readonly error?: string;
}
const check = ({ port = 443, address, error }: Case, resolver: ServiceResolver): void => {
  const resolve = () => resolver.resolve({ namespace: "default", name: "hook", port });
  if (error !== undefined) return void expect(resolve).toThrow(error);
  const { hostname, port: found } = resolve() as { hostname: string; port: number };
  expect(`${hostname}:${found}`).toBe(address);
};
const services = (found: object | undefined) =>
  listerOf<Service>(found ? { "/registry/services/specs/default/hook": found } : {});

describe("a service behind its cluster IP", () => {
  const cases: Case[] = [
    { name: "is reached at its port", service: service({}), address: "10.0.0.9:443" },
    {
      name: "that has another name outside is reached there",
      service: service({ type: "ExternalName", externalName: "far.test" }),
      address: "far.test:443",
    },
    {
      name: "without a cluster IP cannot be reached",
      service: service({ clusterIP: "None" }),
      error: 'cannot route to service with ClusterIP "None"',
    },
    {
      name: "without the port cannot be reached",
      service: service({}),
      port: 80,
      error: 'no service port 80 found for service "hook"',
    },
    { name: "that is not there cannot be reached", error: 'service "hook" not found' },
  ];
  for (const row of cases) it(row.name, () => check(row, createClusterIpResolver(services(row.service))));
});

describe("a service at its endpoints", () => {
  const notReady = { addresses: ["10.1.0.2"], conditions: { ready: false } };
  const ready = { addresses: ["10.1.0.3"] };
  const cases: Case[] = [
    { name: "is reached at the endpoints' port", service: service({}), slices: [slice({})], address: "10.1.0.1:9443" },
    {
      name: "is reached where somebody is ready",
      service: service({}),
      slices: [slice({ endpoints: [notReady, ready] })],
      address: "10.1.0.3:9443",
    },
    {
      name: "prefers its first IP family",
      service: service({}),
      slices: [slice({ addressType: "IPv6", endpoints: [{ addresses: ["fd00::1"] }] }), slice({})],
      address: "10.1.0.1:9443",
    },
    {
      name: "without endpoints cannot be reached",
      service: service({}),
      slices: [],
      error: 'no endpoints available for service "hook"',
    },
    {
      name: "with another name outside cannot be reached",
      service: service({ type: "ExternalName" }),
      error: 'unsupported service type "ExternalName"',
    },
  ];
  for (const row of cases)
    it(row.name, () => {
      const slices = Object.fromEntries(
        (row.slices ?? []).map((each, at) => [`/registry/endpointslices/default/${at}`, each]),
      );
      const lister = listerOf<EndpointSlice & KubernetesObject>(slices);
      check(row, createEndpointResolver(services(row.service), lister, createSeededRandom(1)));
    });
});
