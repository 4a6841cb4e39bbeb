import { expect, it } from "vitest";
import { planNodeFlags, systemdUnit } from "./plan-node-flags.js";

const facts = {
  dataDir: "/d",
  nodeName: "b",
  nodeIp: "192.0.2.7",
  endpoint: "unix:///run/c.sock",
  cniFolder: "/etc/cni/net.d",
  network: undefined,
  hasProxy: true,
};

it("a node of a cluster with a network of its own keeps routes to it", () =>
  expect(
    planNodeFlags({
      ...facts,
      network: { pods: "10.232.0.0/16", nodes: "10.223.0.0/24", tunnel: "7", gateway: "192.0.2.1" },
    }),
  ).toEqual(expect.arrayContaining(["--pod-tunnel=7", "--machines-behind=10.223.0.0/24=192.0.2.1"])));

it("a node of a cluster that brings its own network and proxy has neither", () => {
  const flags = planNodeFlags({ ...facts, hasProxy: false });
  expect(flags).toContain("--service-proxy=false");
  expect(flags.join(" ")).not.toMatch(/tunnel|cni|cidr/);
});

it("words of a unit are quoted as systemd reads them", () =>
  expect(systemdUnit("b", ["/usr/bin/node", "--x=a b", "100%", "$HOME"])).toContain(
    'ExecStart=/usr/bin/node "--x=a b" 100%% $$HOME\n',
  ));
