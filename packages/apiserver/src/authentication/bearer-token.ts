import type { ApiRequest } from "../server/request.js";

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(request: ApiRequest): string | undefined {
  const header = request.header("authorization")?.trim();
  const match = header === undefined ? undefined : /^bearer +(\S+)$/i.exec(header);
  return match?.[1];
}

/** A request of which nothing but its token is known: for those who ask about a token. */
export const bearing = (token: string): ApiRequest => ({ header: (name: string) => (name === "authorization" ? `Bearer ${token}` : undefined) }) as ApiRequest;
