import type { ApiRequest } from "../server/request.js";
import type { Notes } from "./authenticator.js";

const spaceWarning = "the provided Authorization header contains extra space before the bearer token, and is ignored";

/** The token of an `Authorization: Bearer …` header. Undefined: there is none, so the request brings no credentials of this kind. */
export const bearerToken = (request: ApiRequest, notes: Pick<Notes, "warn">): string | undefined => tokenOfHeader(request.header("authorization") ?? "", notes);

export function tokenOfHeader(header: string, notes: Pick<Notes, "warn">): string | undefined {
  const [scheme = "", token, rest] = splitTwice(header.trim());
  if (token === undefined || scheme.toLowerCase() !== "bearer") return undefined;
  if (token !== "") return token;
  if (rest !== undefined) notes.warn(spaceWarning);
  return undefined;
}

/** At the first two spaces. */
function splitTwice(text: string): string[] {
  const first = text.indexOf(" ");
  if (first < 0) return [text];
  const second = text.indexOf(" ", first + 1);
  return second < 0 ? [text.slice(0, first), text.slice(first + 1)] : [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}
