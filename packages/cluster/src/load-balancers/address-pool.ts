import { isIP } from "node:net";
import type { AddressPool } from "./load-balancer-plan.js";

/** An address for all services, or an IPv4 range of which each gets one: `127.64.0.0/16`. Undefined for any other text. */
export function addressPoolFrom(text: string): AddressPool | undefined {
  if (isIP(text)) return { kind: "single", address: text };
  const [network = "", bits = ""] = text.split("/");
  if (isIP(network) !== 4 || !/^\d{1,2}$/.test(bits) || Number(bits) < 8 || Number(bits) > 30) return undefined;
  const size = 2 ** (32 - Number(bits));
  const start = network.split(".").reduce((number, octet) => number * 256 + Number(octet), 0);
  const base = Math.floor(start / size) * size;
  const addressOf = (number: number): string => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
  // The first and last one name the network and everybody in it.
  return { kind: "range", first: addressOf(base + 1), last: addressOf(base + size - 2) };
}
