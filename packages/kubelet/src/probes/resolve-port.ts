import type { CachedContainer } from "../objects/cached-pod.js";

/** Pure: a port of a probe by its number or name (pkg/probe/util.go, ResolveContainerPort). @throws Error in upstream's words */
export function resolvePort(port: string | number, { ports = [] }: CachedContainer): number {
  const named = typeof port === "string" ? ports.find(({ name }) => name === port)?.containerPort : port;
  const number = named ?? numberOf(String(port));
  if (number > 0 && number < 65536) return number;
  throw new Error(`invalid port number: ${number}`);
}

/** A number that was written as text. */
function numberOf(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new Error(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}
