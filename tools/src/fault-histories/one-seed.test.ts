import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { describeWith } from "../needs/index.js";
import { planOwnNamespaces, runInOwnNamespaces } from "../nodes/index.js";
import { cachedProgram } from "../upstream/index.js";

const program = fileURLToPath(new URL("../../dist/fault-histories/main.js", import.meta.url));

/** Tried, not guessed: a bridge and a table of nftables in namespaces that go with the command. */
function canMakeMachines(): boolean {
  const tried = "ip link add tried type bridge && nft add table ip tried";
  const [command = "", ...args] = planOwnNamespaces(["sh", "-c", tried]);
  return process.platform === "linux" && spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

const need = {
  found: cachedProgram("etcd") !== undefined && canMakeMachines(),
  missing:
    "etcd (node tools/dist/upstream/main.js etcd), root, namespaces, ip and nft (apt-get install iproute2 nftables)",
  requiredAs: "nodes",
  timeout: 180_000,
} as const;

describeWith("three API servers over three etcds with faults", need, () => {
  it("lose and invent nothing in one seed", async () => {
    let output = "";
    const onOutput = (text: string): void => void (output += text);
    await runInOwnNamespaces([process.execPath, program, "--seeds", "22-22"], { onOutput });
    expect(output).toMatch(/^seed 22: .*: accepted$/m);
  });
});
