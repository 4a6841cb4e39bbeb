import { trimBlanks } from "../request/trim-blanks.js";
import type { UserInfo } from "../request/user-info.js";

/** Asks aggregated servers what they serve; it may see everything. */
export const discoveryUser: UserInfo = { name: "system:kube-aggregator", groups: ["system:masters"] };
/** Asks aggregated servers how they describe it. */
export const documentUser: UserInfo = { name: "system:aggregator", groups: [] };

/** What cannot stand in a header's name (RFC 9110, 5.6.2), and "%", which escapes. */
const escaped = /[^A-Za-z0-9!#$&'*+\-.^_`|~]/gu;

/** The user as headers for an aggregated server, which trusts them because of the certificate that comes with them. */
export function proxyUserHeaders({ name, uid = "", groups, extra = {} }: UserInfo): [string, string][] {
  const lines: [string, string][] = [["X-Remote-User", name]];
  if (uid !== "") lines.push(["X-Remote-Uid", uid]);
  for (const group of groups) lines.push(["X-Remote-Group", group]);
  for (const [key, values] of Object.entries(extra))
    for (const value of values) lines.push([`X-Remote-Extra-${escapeKey(key)}`, value]);
  return lines.map(([header, value]) => [header, onTheWire(value)]);
}

/** Bytes of UTF-8 as node writes them; a line break would begin another header, and Go writes it as a space. */
const onTheWire = (value: string): string =>
  Buffer.from(trimBlanks(value.replace(/[\r\n]/g, " ")), "utf8").toString("latin1");

const escapeKey = (key: string): string =>
  key.replace(escaped, (char) =>
    Array.from(new TextEncoder().encode(char), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(
      "",
    ),
  );
