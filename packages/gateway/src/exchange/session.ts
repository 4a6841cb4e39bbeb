import { createHash } from "node:crypto";
import type { Endpoint } from "@coxswain/api/endpoint-slices";
import { type Field, fieldOf, fieldValue } from "@coxswain/wire/http1";
import type { SessionPersistence } from "../engine/routed-rule.js";

/** Tokens of endpoints: what a client gets is no address. Bounded, since pods come and go. */
const tokens = new Map<string, string>();
const maxTokens = 4096;

function tokenOf({ address, port }: Endpoint): string {
  const key = `${address} ${port}`;
  const there = tokens.get(key);
  if (there !== undefined) return there;
  const made = createHash("sha256").update(key).digest("base64url").slice(0, 22);
  if (tokens.size >= maxTokens) tokens.clear();
  tokens.set(key, made);
  return made;
}

/** What a client sent of its session; undefined: it has none, or its time is over. */
export function sentSession(
  { carrier, name, absoluteTimeoutMs }: SessionPersistence,
  fields: readonly Field[],
  now: number,
): string | undefined {
  const value = carrier === "header" ? fieldValue(fields, name.toLowerCase()) : cookieValue(fields, name);
  const [token = "", until = ""] = value?.split(".") ?? [];
  if (token === "") return undefined;
  return absoluteTimeoutMs > 0 && !(Number.parseInt(until, 36) > now) ? undefined : token;
}

function cookieValue(fields: readonly Field[], name: string): string | undefined {
  for (const { lower, value } of fields)
    if (lower === "cookie")
      for (const part of value.split(";")) {
        const [key, ...rest] = part.split("=");
        if (key?.trim() === name) return rest.join("=").trim();
      }
  return undefined;
}

export const endpointOfSession = (token: string, endpoints: readonly Endpoint[]): Endpoint | undefined =>
  endpoints.find((endpoint) => tokenOf(endpoint) === token);

/** The line of an answer that begins a session with the endpoint. */
export function sessionField(
  { carrier, name, absoluteTimeoutMs, lifetime }: SessionPersistence,
  endpoint: Endpoint,
  now: number,
): Field {
  const until = absoluteTimeoutMs > 0 ? `.${(now + absoluteTimeoutMs).toString(36)}` : "";
  const value = tokenOf(endpoint) + until;
  if (carrier === "header") return fieldOf(name, value);
  const age =
    lifetime === "Permanent" && absoluteTimeoutMs > 0 ? `; Max-Age=${Math.floor(absoluteTimeoutMs / 1000)}` : "";
  return fieldOf("Set-Cookie", `${name}=${value}; Path=/; HttpOnly${age}`);
}
