import type { OpenFrame } from "@coxswain/client/socket";

/** Below it are the few things that the relay does itself. No API server has this root. */
export const ownRoot = "console";

/** What a page may ask of the relay itself. */
export type OwnRequest =
  | { readonly kind: "forward"; readonly namespace: string; readonly pod: string; readonly port: number }
  | { readonly kind: "clock"; readonly advanceMs: number };

/** At most so much time at once; a day of a test's cluster is a click. */
const mostMs = 366 * 24 * 3_600_000;
const name = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * Pure: `POST /console/forwards/NAMESPACE/POD/PORT` and `POST /console/clock/MILLISECONDS`, without query, body and upgrade. Undefined
 * for anything else.
 */
export function ownRequestOf(open: OpenFrame, segments: readonly string[]): OwnRequest | undefined {
  const [root, what, ...rest] = segments;
  if (
    root !== ownRoot ||
    open.method !== "POST" ||
    open.hasBody ||
    open.upgrade !== undefined ||
    open.target.includes("?")
  )
    return undefined;
  if (what === "clock" && rest.length === 1) {
    const advanceMs = numberIn(rest[0], 0, mostMs);
    return advanceMs === undefined ? undefined : { kind: "clock", advanceMs };
  }
  const [namespace = "", pod = "", portText] = rest;
  const port = numberIn(portText, 1, 65_535);
  if (what !== "forwards" || rest.length !== 3 || port === undefined || !name.test(namespace) || !name.test(pod))
    return undefined;
  return { kind: "forward", namespace, pod, port };
}

function numberIn(text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= least && number <= most ? number : undefined;
}
