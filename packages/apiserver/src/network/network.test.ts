import { describe, expect, it } from "vitest";
import { createNetwork } from "./network.js";

const kubeletClient = { name: "kube-apiserver-kubelet-client", groups: [] };
const serviceCidrs: string[] = ["10.96.0.0/16", "fd00::/108"];
const simulated = { cidrs: ["172.18.0.0/16", "127.0.0.0/8", "::1/128"], kubeletClient };
const network = createNetwork({ simulated, serviceCidrs: () => serviceCidrs });

describe("what belongs to the simulated network", () => {
  const cases = [
    { name: "an address of a range of nodes", host: "172.18.7.1", owned: true },
    { name: "the same as an IPv6 address", host: "::ffff:172.18.7.1", owned: true },
    { name: "an address of Services", host: "10.96.3.4", owned: true },
    { name: "an IPv6 address of Services", host: "fd00::12", owned: true },
    { name: "another address", host: "172.19.0.1", owned: false },
    { name: "a name", host: "example.com", owned: false },
  ];
  for (const { name, host, owned } of cases) it(name, () => expect(network.owns(host)).toBe(owned));

  it("ranges of Services that are added later", () => {
    expect(network.owns("10.200.0.1")).toBe(false);
    serviceCidrs.push("10.200.0.0/24");
    expect(network.owns("10.200.0.1")).toBe(true);
  });
});

const dial = { port: 443, scheme: "https", user: undefined } as const;

it("what nothing answers is refused, and what is elsewhere is left to sockets", () => {
  expect(() => network.connectInside({ ...dial, hostname: "172.18.0.9" })).toThrow(
    "connect ECONNREFUSED 172.18.0.9:443",
  );
  expect(network.connectInside({ ...dial, hostname: "192.0.2.1" })).toBeUndefined();
});

it("a name that leads into the simulated network is not connected to", async () => {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) =>
    network.lookup("localhost", { all: true }, (found) => resolve(found)),
  );
  expect(error).toMatchObject({ code: "ECONNREFUSED", syscall: "connect" });
});

it("without simulated nodes every address is dialled, and none can be connected", () => {
  const real = createNetwork({ simulated: undefined, serviceCidrs: () => serviceCidrs });
  expect(real.owns("10.96.3.4")).toBe(false);
  expect(() =>
    real.useInside({ owns: () => true, connect: () => ({ kind: "failed", code: "ECONNREFUSED", address: "" }) }),
  ).toThrow("the server was started without a simulated network");
});
