import { describe, expect, it } from "vitest";
import { disjointNetworks } from "./disjoint-networks.js";

describe("networks without overlaps", () => {
  const rows = [
    { name: "equal ones are one", networks: ["10.0.0.0/8", "10.1.0.0/8"], are: ["10.0.0.0/8"] },
    { name: "a network inside another goes", networks: ["10.1.0.0/16", "10.0.0.0/8"], are: ["10.0.0.0/8"] },
    { name: "an address inside a network goes", networks: ["10.0.0.0/8", "10.1.2.3"], are: ["10.0.0.0/8"] },
    { name: "addresses outside stay", networks: ["10.0.0.0/8", "1.2.3.4"], are: ["1.2.3.4/32", "10.0.0.0/8"] },
    {
      name: "of the other family, too",
      networks: ["fd00::/16", "fd00::1", "fe80::1"],
      are: ["fd00::/16", "fe80::1/128"],
    },
  ];
  for (const { name, networks, are } of rows) it(name, () => expect(disjointNetworks(networks)).toEqual(are));
});
