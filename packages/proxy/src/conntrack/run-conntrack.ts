import { runProgram } from "@coxswain/component/programs";
import type { Clock } from "@coxswain/runtime/clock";
import type { Family } from "../addresses/family.js";
import { type ConntrackEntry, readEntry } from "./conntrack-entry.js";

/** The program conntrack, as far as flows are listed and removed. */
export interface Conntrack {
  /** Flows of UDP and SCTP in one family. */
  list(family: Family): Promise<ConntrackEntry[]>;
  /** Removes all flows with these ends. */
  remove(family: Family, entry: ConntrackEntry): Promise<void>;
}

export function createConntrack(clock: Clock, command: readonly string[] = ["conntrack"]): Conntrack {
  const familyOf = (family: Family): string[] => ["-f", family === "IPv4" ? "ipv4" : "ipv6"];
  return {
    async list(family) {
      const listings = await Promise.all(
        ["udp", "sctp"].map((protocol) =>
          runProgram(clock, [...command, "-L", "-p", protocol, ...familyOf(family)], ""),
        ),
      );
      return listings.flatMap((text) => text.split("\n").flatMap((line) => readEntry(line) ?? []));
    },
    async remove(family, { protocol, originalAddress, originalPort, replyAddress, replyPort }) {
      const ends = ["--orig-dst", originalAddress, "--orig-port-dst", String(originalPort)];
      const answer = ["--reply-src", replyAddress, "--reply-port-src", String(replyPort)];
      try {
        await runProgram(clock, [...command, "-D", "-p", protocol, ...familyOf(family), ...ends, ...answer], "");
      } catch (error) {
        // The flow has ended by itself: nothing is left to remove.
        if (!(error as Error).message.includes("0 flow entries")) throw error;
      }
    },
  };
}
