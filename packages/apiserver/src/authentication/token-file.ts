import { hash } from "node:crypto";
import type { UserInfo } from "../request/user-info.js";
import type { TokenAuthenticator } from "./authenticator.js";
import { readCsv } from "./read-csv.js";

/**
 * Tokens from a file, one a line: `token,user,uid[,"group1,group2"]`. Tokens are found by their hash, so that how long a wrong one
 * takes reveals nothing about the right ones.
 */
export function createTokenFileAuthenticator(text: string): TokenAuthenticator {
  const users = new Map(parseTokenFile(text).map(({ token, user }) => [hash("sha256", token), user]));
  return (token) => {
    const user = users.get(hash("sha256", token));
    return user && { user };
  };
}

/** @throws for a file that cannot be read as records, or one whose records are too short. Of a token that is there twice the last record counts. */
export function parseTokenFile(text: string): { token: string; user: UserInfo }[] {
  return readCsv(text).flatMap((record) => {
    const [token = "", name = "", uid = "", groups] = record;
    if (record.length < 3)
      throw new Error(
        `the token file must have at least 3 columns (token, user name, user uid), found ${record.length}`,
      );
    return token === "" ? [] : [{ token, user: { name, uid, groups: groups === undefined ? [] : groups.split(",") } }];
  });
}
