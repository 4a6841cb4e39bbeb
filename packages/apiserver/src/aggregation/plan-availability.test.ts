import { describe, expect, it } from "vitest";
import { passed, planAvailability, withAvailability } from "./plan-availability.js";

const reference = { namespace: "ns", name: "api", port: 443 };
const service = (spec: object) => ({ metadata: { name: "api" }, spec: { type: "ClusterIP", ...spec } }) as never;
const https = { ports: [{ port: 443, name: "https" }] };
const slice = (ready: boolean | undefined, portName: string, port: number | undefined = 8443) =>
  ({
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.0.0.1"], conditions: ready === undefined ? {} : { ready } }],
    ports: [{ name: portName, ...(port === undefined ? {} : { port }) }],
  }) as never;

describe("whether the service of an APIService can be asked", () => {
  const cases = [
    {
      name: "no service",
      service: undefined,
      slices: [],
      reason: "ServiceNotFound",
      message: 'service/api in "ns" is not present',
    },
    {
      name: "a service without the port",
      service: service({ ports: [{ port: 80 }] }),
      slices: [],
      reason: "ServicePortError",
      message: 'service/api in "ns" is not listening on port 443',
    },
    {
      name: "no endpoints at all",
      service: service(https),
      slices: [],
      reason: "EndpointsNotFound",
      message: 'cannot find endpointslices for service/api in "ns"',
    },
    {
      name: "no endpoint that is ready",
      service: service(https),
      slices: [slice(false, "https")],
      reason: "MissingEndpoints",
      message: 'endpointslices for service/api in "ns" have no addresses with port name "https"',
    },
    {
      name: "endpoints with another port only",
      service: service(https),
      slices: [slice(true, "other")],
      reason: "MissingEndpoints",
      message: 'endpointslices for service/api in "ns" have no addresses with port name "https"',
    },
    { name: "a ready endpoint with the port", service: service(https), slices: [slice(true, "https")] },
    {
      name: "an endpoint without a ready condition",
      service: service(https),
      slices: [slice(undefined, "https")],
    },
    {
      name: "a service by another name has endpoints nobody here knows",
      service: service({ type: "ExternalName" }),
      slices: [],
    },
  ];
  for (const c of cases)
    it(c.name, () => {
      const planned = planAvailability(reference, { service: c.service, slices: c.slices });
      if (c.reason === undefined) expect(planned).toBeUndefined();
      else expect(planned).toEqual({ status: "False", reason: c.reason, message: c.message });
    });
});

describe("the condition", () => {
  const at = (iso: string) => Date.parse(iso);
  const first = withAvailability({}, passed, at("2026-01-01T00:00:00Z"));
  it("is added", () =>
    expect(first).toEqual({
      conditions: [
        {
          type: "Available",
          status: "True",
          lastTransitionTime: "2026-01-01T00:00:00Z",
          reason: "Passed",
          message: "all checks passed",
        },
      ],
    }));
  it("the same again changes nothing", () =>
    expect(withAvailability(first, passed, at("2027-01-01T00:00:00Z"))).toBe(first));
  it("another reason keeps the time, another truth moves it", () => {
    const unavailable = { status: "False", reason: "ServiceNotFound", message: "gone" } as const;
    const second = withAvailability(first, unavailable, at("2027-01-01T00:00:00Z"));
    const third = withAvailability(second, { ...unavailable, reason: "MissingEndpoints" }, at("2028-01-01T00:00:00Z"));
    expect(third?.conditions).toEqual([
      {
        type: "Available",
        status: "False",
        lastTransitionTime: "2027-01-01T00:00:00Z",
        reason: "MissingEndpoints",
        message: "gone",
      },
    ]);
  });
});
