import type { ApiRequest } from "../request/request.js";
import type { Notes } from "./authenticator.js";

const spaceWarning = "the provided Authorization header contains extra space before the bearer token, and is ignored";

/** The token of an `Authorization: Bearer …` header. Undefined: there is none, so the request brings no credentials of this kind. */
export const bearerToken = (request: ApiRequest, notes: Pick<Notes, "warn">): string | undefined =>
  tokenOfHeader(request.header("authorization") ?? "", notes);

export function tokenOfHeader(header: string, notes: Pick<Notes, "warn">): string | undefined {
  const text = header.trim();
  const first = text.indexOf(" ");
  if (first < 0 || text.slice(0, first).toLowerCase() !== "bearer") return undefined;
  const second = text.indexOf(" ", first + 1);
  const token = second < 0 ? text.slice(first + 1) : text.slice(first + 1, second);
  if (token !== "") return token;
  if (second >= 0) notes.warn(spaceWarning);
  return undefined;
}
