import { setTimeout as sleep } from "node:timers/promises";
import type { ControlMachine, ControlPlane } from "../control-plane/control-plane.js";
import { clientAddress } from "../control-plane/machines.js";
import type { Service } from "../control-plane/service.js";
import { packetRules, resetRule } from "./packet-rules.js";
import type { Fault, FaultKind } from "./plan-faults.js";

/** What a compaction waits for: the log up to a revision has been read, which can then be forgotten. */
export type ReadOn = () => Promise<number>;

type Kills = Extract<FaultKind, `kill-${string}`>;

/** How long answers are lost before connections are reset: less than clients wait, and long enough for some writes. */
const deafMs = 250;

/** How long a slow process runs and stands still in turn. */
const slowMs = 40;

/** Lets one fault happen, and takes it back when it is over. */
export async function injectFault(plane: ControlPlane, fault: Fault, readOn: ReadOn): Promise<void> {
  const { kind, lastsMs } = fault;
  const machine = plane.machines[fault.machine]!;
  switch (kind) {
    case "pause-member":
      return pause(machine.member, lastsMs);
    case "pause-server":
      return pause(machine.server, lastsMs);
    case "slow-member":
      for (let rest = lastsMs; rest > 0; rest -= 2 * slowMs) {
        await pause(machine.member, slowMs);
        await sleep(slowMs);
      }
      return;
    case "kill-member":
    case "kill-server":
    case "kill-machine":
    case "kill-majority":
      return kill(victims(plane, machine, kind), lastsMs);
    case "move-leader":
      return moveLeader(plane);
    case "compact":
      return compact(machine, readOn);
    default:
      return dropPackets(plane, machine, fault);
  }
}

async function pause(service: Service, lastsMs: number): Promise<void> {
  service.signal("SIGSTOP");
  await sleep(lastsMs);
  service.signal("SIGCONT");
}

function victims({ machines }: ControlPlane, machine: ControlMachine, kind: Kills): Service[] {
  if (kind === "kill-member") return [machine.member];
  if (kind === "kill-server") return [machine.server];
  if (kind === "kill-machine") return [machine.member, machine.server];
  return machines.filter((each) => each !== machine).map(({ member }) => member);
}

async function kill(services: readonly Service[], lastsMs: number): Promise<void> {
  await Promise.all(services.map((service) => service.kill()));
  await sleep(lastsMs);
  for (const service of services) service.start();
}

/** Where etcd has no majority now, its log cannot be read, and nothing is compacted. */
async function compact({ etcd }: ControlMachine, readOn: ReadOn): Promise<void> {
  const revision = await readOn().catch(() => undefined);
  if (revision !== undefined) await etcd.compact(revision).catch(() => {}); // or it has lost its majority just now
}

/** To the next member after the leader. Where none leads now, nothing moves. */
async function moveLeader({ machines }: ControlPlane): Promise<void> {
  const found = await Promise.all(machines.map(({ etcd }) => etcd.status().catch(() => undefined)));
  const leader = found.findIndex((status) => status !== undefined && status.member === status.leader);
  const next = found[(leader + 1) % found.length];
  // Refused where the next one lags: that is etcd's to decide.
  if (leader >= 0 && next) await machines[leader]?.etcd.moveLeader(next.member).catch(() => {});
}

async function dropPackets(
  plane: ControlPlane,
  machine: ControlMachine,
  { kind, atMs, lastsMs }: Fault,
): Promise<void> {
  const others = plane.machines.filter((each) => each !== machine).map(({ address }) => address);
  const table = `fault_${atMs}`; // of its own: several faults may meet one machine at once
  const chains = ["in", "out"].map(
    (name) => `chain ${name} { type filter hook ${name}put priority 0; policy accept; }`,
  );
  const rules = packetRules(kind, { others, clients: clientAddress }).map((rule) => `add rule ip ${table} ${rule}`);
  await machine.run(["nft", "-f", "-"], [`table ip ${table} {`, ...chains, "}", ...rules, ""].join("\n"));
  if (kind === "reset-server") {
    await sleep(deafMs);
    await machine.run(["nft", ...`add rule ip ${table} ${resetRule}`.split(" ")]);
  }
  await sleep(lastsMs);
  await machine.run(["nft", "delete", "table", "ip", table]);
}
