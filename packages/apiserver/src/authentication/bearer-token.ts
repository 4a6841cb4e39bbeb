import type { ApiRequest } from "../server/request.js";

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(request: ApiRequest): string | undefined {
  const header = request.header("authorization")?.trim();
  const match = header === undefined ? undefined : /^bearer +(\S+)$/i.exec(header);
  return match?.[1];
}
