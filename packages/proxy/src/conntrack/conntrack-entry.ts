import { readAddress } from "../addresses/family.js";
import type { Protocol } from "../frontends/frontend.js";

/** A flow that the kernel tracks: where it was sent to, and who answers it. */
export interface ConntrackEntry {
  readonly protocol: Protocol;
  readonly originalAddress: string;
  readonly originalPort: number;
  readonly replyAddress: string;
  readonly replyPort: number;
}

/**
 * One line of `conntrack -L`, such as
 * `udp 17 29 src=10.0.1.2 dst=10.96.0.1 sport=5000 dport=80 [UNREPLIED] src=10.0.2.2 dst=10.0.1.2 sport=8080 dport=5000 mark=0 use=1`.
 * Undefined for anything else.
 */
export function readEntry(line: string): ConntrackEntry | undefined {
  const protocol = /^(udp|sctp)\s/.exec(line)?.[1] as Protocol | undefined;
  if (protocol === undefined) return undefined;
  const [toClient, toServer] = [values(line, "src"), values(line, "dst")];
  const [sources, targets] = [values(line, "sport"), values(line, "dport")];
  const original = readAddress(toServer[0] ?? "")?.text;
  const reply = readAddress(toClient[1] ?? "")?.text;
  const [originalPort, replyPort] = [Number(targets[0]), Number(sources[1])];
  if (original === undefined || reply === undefined || !(originalPort > 0) || !(replyPort > 0)) return undefined;
  return { protocol, originalAddress: original, originalPort, replyAddress: reply, replyPort };
}

/** The values of a name that stands once for each direction: "src=10.0.0.1". */
const values = (line: string, name: string): string[] =>
  line.split(" ").flatMap((word) => (word.startsWith(`${name}=`) ? [word.slice(name.length + 1)] : []));
