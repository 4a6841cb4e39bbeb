import { createHash, timingSafeEqual } from "node:crypto";
import type { UserInfo } from "../server/user-info.js";
import type { TokenAuthenticator } from "./authenticator.js";

/**
 * Tokens from a file, one a line: `token,user,uid[,"group1,group2"]`. Tokens are found by their hash, so that how long a wrong one
 * takes says nothing about the right ones.
 */
export function createTokenFileAuthenticator(text: string): TokenAuthenticator {
  const users = new Map(parseTokenFile(text).map(({ token, user }) => [hash(token).toString("hex"), { digest: hash(token), user }]));
  return (token) => {
    const digest = hash(token);
    const found = users.get(digest.toString("hex"));
    return found && timingSafeEqual(found.digest, digest) ? { user: found.user } : undefined;
  };
}

const hash = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Throws for a line that is not one. */
export function parseTokenFile(text: string): { token: string; user: UserInfo }[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const [token = "", name = "", uid = "", groups = ""] = splitCsv(line);
    if (token === "" || name === "") throw new Error(`line ${at + 1} of the token file needs a token, a user and a uid, separated by commas`);
    return [{ token, user: { name, uid, groups: groups === "" ? [] : groups.split(",") } }];
  });
}

/** Fields separated by commas; one in double quotes may contain them. */
function splitCsv(line: string): string[] {
  const fields: string[] = [];
  for (const match of line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)) {
    const field = (match[1] ?? "").trim();
    fields.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (match[2] === "") break;
  }
  return fields;
}
