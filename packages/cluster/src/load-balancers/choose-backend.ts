import type { RandomSource } from "@coxswain/runtime/random";
import type { Backend, WantedListener } from "./load-balancer-plan.js";

/** The backends in the order in which they are tried: random, or for sticky services by the client's address. */
export function backendsFor(
  { backends, isSticky }: Pick<WantedListener, "backends" | "isSticky">,
  client: string,
  random: RandomSource,
): readonly Backend[] {
  if (backends.length <= 1) return backends;
  const start = isSticky ? hashOf(client) % backends.length : Math.floor(random.next() * backends.length);
  return [...backends.slice(start), ...backends.slice(0, start)];
}

/** FNV-1a of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}
