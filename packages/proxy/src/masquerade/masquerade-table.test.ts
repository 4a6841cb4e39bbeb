import { systemClock } from "@coxswain/runtime/clock";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rootAndNft } from "../nft/network-namespace.test.support.js";
import { createNft } from "../nft/run-nft.js";
import { ask, openTestNetwork, type TestNetwork } from "../nft/test-network.test.support.js";
import { cleanUp } from "../start/clean-up.js";
import { writeMasquerade } from "./masquerade-table.js";

describe("masquerading of pods", () => {
  it("has a rule for each family with networks, without overlaps", () => {
    const rules = writeMasquerade(["10.0.0.0/16", "10.0.1.0/24", "fd00:1::/64"])
      .split("\n")
      .filter((line) => line.startsWith("add rule"));
    expect(rules).toEqual([
      "add rule inet coxswain-masquerade postrouting ip saddr { 10.0.0.0/16 } ip daddr != { 10.0.0.0/16 } ip daddr != 224.0.0.0/4 masquerade fully-random",
      "add rule inet coxswain-masquerade postrouting ip6 saddr { fd00:1::/64 } ip6 daddr != { fd00:1::/64 } ip6 daddr != ff00::/8 masquerade fully-random",
    ]);
  });
});

describeWith("masquerading in the kernel", rootAndNft, () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await openTestNetwork();
  });
  afterAll(() => network?.close());

  it("pods keep their addresses among themselves; cleaning up leaves no table", async () => {
    const nft = createNft(systemClock, [...network.node.enter, "nft"]);
    await nft.run(writeMasquerade(["10.0.1.0/24"]));
    expect(await ask(network.a, "10.0.2.2", 8080)).toBe("b 10.0.2.1");
    await nft.run(writeMasquerade(["10.0.0.0/16"]));
    expect(await ask(network.a, "10.0.2.2", 8080)).toBe("b 10.0.1.2");
    expect(await cleanUp(nft)).toEqual([]);
    expect(network.node.run("nft list tables")).toBe("");
  });
});
