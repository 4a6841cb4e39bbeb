import { rm, writeFile } from "node:fs/promises";
import { runProgram } from "@coxswain/component/programs";
import type { Clock } from "@coxswain/runtime/clock";
import { networksOfRoutes, networksOverlap } from "../networks/ipv4-network.js";
import type { Undo } from "../steps/step.js";
import { removeCgroup } from "./remove-cgroup.js";

/** Carries out one undo; what is not there any more is fine. @throws Error for what cannot be taken back */
export async function takeBack(undo: Undo, clock: Clock): Promise<void> {
  switch (undo.kind) {
    case "cgroup":
      return removeCgroup(undo.path, clock);
    case "folder":
      return rm(undo.path, { recursive: true, force: true });
    case "link":
      if (!(await links(clock)).includes(undo.name)) return;
      return void (await runProgram(clock, ["ip", "link", "delete", undo.name], ""));
    case "routes":
      return removeRoutes(undo.network, clock);
    case "table":
      // A table that is added first can be deleted whether it was there or not.
      return void (await runProgram(clock, ["nft", "-f", "-"], `add table ${undo.name}\ndelete table ${undo.name}\n`));
    case "sysctl":
      if ((await links(clock)).some((name) => isBridge(name, undo.unlessLink))) return;
      return writeFile(undo.path, undo.value);
  }
}

/** By this number our routes are known from others' (rtnetlink(7), `rtm_protocol`); unassigned in iproute2's rt_protos. */
export const routeProtocol = "205";

export async function removeRoutes(network: string, clock: Clock): Promise<void> {
  const shown = await runProgram(clock, ["ip", "-4", "route", "show", "proto", routeProtocol], "");
  for (const route of networksOfRoutes(shown).filter((one) => networksOverlap(one, network)))
    await runProgram(clock, ["ip", "-4", "route", "delete", route, "proto", routeProtocol], "");
}

/** Of a bridge nothing but an id follows the prefix; a machine's link, which may go a moment after its processes, has a number, too. */
const isBridge = (name: string, prefix: string): boolean =>
  name.startsWith(prefix) && !name.slice(prefix.length).includes("-");

/** Of the network that this process is in; /sys/class/net may show another one's. */
const links = async (clock: Clock): Promise<string[]> =>
  (await runProgram(clock, ["ip", "-o", "link", "show"], ""))
    .split("\n")
    .map((line) => line.split(" ")[1]?.split(/[@:]/, 1)[0] ?? "");
