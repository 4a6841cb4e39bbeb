import { expect, it } from "vitest";
import type { EndpointSlice } from "../gen/types/discovery-v1.js";
import { readyEndpoints } from "./ready-endpoints.js";

const slice: EndpointSlice = {
  metadata: { name: "web-1" },
  addressType: "IPv4",
  ports: [
    { name: "web", port: 8080, protocol: "TCP" },
    { name: "dns", port: 53, protocol: "UDP" },
  ],
  endpoints: [
    { addresses: ["10.0.0.1"], conditions: { ready: true } },
    { addresses: ["10.0.0.2"], conditions: { ready: false } },
    { addresses: ["10.0.0.3"] },
  ],
};

const rows = [
  {
    name: "those that are not ready are left out",
    port: "web",
    protocol: "TCP",
    want: ["10.0.0.1:8080", "10.0.0.3:8080"],
  },
  { name: "a port has its protocol", port: "dns", protocol: "UDP", want: ["10.0.0.1:53", "10.0.0.3:53"] },
  { name: "a port of another protocol is not there", port: "dns", protocol: "TCP", want: [] },
  { name: "a port of another name is not there", port: "", protocol: "TCP", want: [] },
];
for (const { name, port, protocol, want } of rows)
  it(name, () =>
    expect(readyEndpoints([slice], port, protocol).map((one) => `${one.address}:${one.port}`)).toEqual(want),
  );
