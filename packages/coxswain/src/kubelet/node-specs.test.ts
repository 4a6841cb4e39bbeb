import { FlagError, parseFlags } from "@coxswain/component/flags";
import type { NodeSpec } from "@coxswain/kubelet";
import { describe, expect, it } from "vitest";
import { kubeletCommandFlags } from "./kubelet-command-flags.js";
import { nodeAddressesFrom, nodeSpecsFrom } from "./node-specs.js";

function specsOf(...args: string[]): NodeSpec[] {
  const parsed = parseFlags(kubeletCommandFlags, args);
  return parsed.kind === "help" ? [] : nodeSpecsFrom(parsed.options, "Machine");
}

describe("nodes by flags", () => {
  const cases: { name: string; args: string[]; specs: NodeSpec[] }[] = [
    { name: "one has the machine's name", args: [], specs: [{ name: "machine", address: "127.0.0.1" }] },
    {
      name: "several are numbered",
      args: ["--nodes=2", "--hostname-override=sim", "--address=10.0.0.4"],
      specs: [
        { name: "sim-0", address: "10.0.0.4" },
        { name: "sim-1", address: "10.0.0.4" },
      ],
    },
    {
      name: "they have labels, taints and an address of their own",
      args: ["--node-labels=zone=a", "--register-with-taints=gpu=yes:NoSchedule,old:NoExecute", "--node-ip=10.0.0.9"],
      specs: [
        {
          name: "machine",
          address: "10.0.0.9",
          labels: { zone: "a" },
          taints: [
            { key: "gpu", value: "yes", effect: "NoSchedule" },
            { key: "old", effect: "NoExecute" },
          ],
        },
      ],
    },
  ];
  for (const { name, args, specs } of cases) it(name, () => expect(specsOf(...args)).toEqual(specs));

  const addresses = [
    { text: undefined, found: [] },
    { text: "10.0.0.9", found: ["10.0.0.9"] },
    { text: "10.0.0.9, fd00::9", found: ["10.0.0.9", "fd00::9"] },
    { text: "fd00::9,10.0.0.9", found: ["fd00::9", "10.0.0.9"] },
  ];
  for (const { text, found } of addresses)
    it(`a real node's addresses ${text} are read`, () => expect(nodeAddressesFrom(text)).toEqual(found));
  for (const text of ["10.0.0.9,10.0.0.8", "10.0.0.9,fd00::9,fd00::8", "a", "", "0.0.0.0,fd00::9"])
    it(`a real node's addresses ${JSON.stringify(text)} are refused`, () =>
      expect(() => nodeAddressesFrom(text)).toThrow(FlagError));

  it("a taint without an effect is refused", () =>
    expect(() => specsOf("--register-with-taints=gpu=yes")).toThrow(FlagError));
});
