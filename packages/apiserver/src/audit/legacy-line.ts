import { quoteGo } from "@coxswain/apimachinery/field";
import type { AuditEvent } from "./audit-event.js";

/** The older form of the log: a selection of an event in one line of text, without its end. */
export function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser, objectRef, responseStatus, sourceIPs } = event;
  const known = user.username !== undefined && user.username !== "";
  const members: readonly (readonly [string, string])[] = [
    ["id", event.auditID],
    ["stage", event.stage],
    ["ip", sourceIPs?.[0] ?? "<unknown>"],
    ["method", event.verb],
    ["user", known ? user.username : "<none>"],
    ["groups", known && user.groups && user.groups.length > 0 ? quoted(user.groups) : "<none>"],
    ["as", impersonatedUser ? (impersonatedUser.username ?? "") : "<self>"],
    ["asgroups", impersonatedUser?.groups ? quoted(impersonatedUser.groups) : "<lookup>"],
    ["user-agent", event.userAgent ?? ""],
    ["namespace", objectRef?.namespace ? objectRef.namespace : "<none>"],
    ["uri", event.requestURI],
  ];
  const written = members.map(([name, value]) => `${name}=${quoteGo(value)}`).join(" ");
  return `${nanoTime(event.requestReceivedTimestamp)} AUDIT: ${written} response="${responseStatus ? String(responseStatus.code ?? 0) : "<deferred>"}"`;
}

const quoted = (names: readonly string[]): string => names.map(quoteGo).join(",");

/** Trailing zeros of the fraction are left out. */
const nanoTime = (time: string): string => time.replace(/\.?0*Z$/, "Z");
