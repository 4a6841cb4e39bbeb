import { linesOf, unescapeKey } from "../request/header-lines.js";
import type { ApiRequest } from "../request/request.js";
import type { Authenticator } from "./authenticator.js";
import type { CertificateTrust } from "./certificate-trust.js";

/** The headers by which a proxy in front of the server names its client. */
export interface UserHeaders {
  readonly username: readonly string[];
  readonly uid: readonly string[];
  readonly group: readonly string[];
  readonly extraPrefix: readonly string[];
}

/** What the aggregator sends. */
export const standardUserHeaders: UserHeaders = {
  username: ["X-Remote-User"],
  uid: ["X-Remote-Uid"],
  group: ["X-Remote-Group"],
  extraPrefix: ["X-Remote-Extra-"],
};

export interface RequestHeaderOptions extends UserHeaders {
  /** PEM of the authorities that sign the certificates of such proxies. */
  readonly authority: string;
  /** The common names that such certificates may have; none: any. */
  readonly allowedNames: readonly string[];
}

/** A proxy in front of the server vouches for its clients, once its own certificate has shown that it is one. */
export const createRequestHeaderAuthenticator =
  ({ allowedNames, ...headers }: Omit<RequestHeaderOptions, "authority">, trust: CertificateTrust): Authenticator =>
  (request) => {
    const { caller } = request;
    if (caller.via !== "socket" || !caller.certificate) return undefined;
    const error = trust.problemOf(caller.certificate);
    if (error !== undefined) return { error };
    const name = caller.certificate.leaf?.subject.commonName ?? "";
    if (allowedNames.length > 0 && !allowedNames.includes(name))
      return { error: `x509: subject with cn=${name} is not in the allowed list` };
    return userOf(request, headers);
  };

function userOf(request: ApiRequest, { username, uid, group, extraPrefix }: UserHeaders): ReturnType<Authenticator> {
  const lines = linesOf(request);
  const first = (names: readonly string[]): string =>
    names
      .map((name) => lines.find((line) => line.name === name.toLowerCase())?.value ?? "")
      .find((value) => value !== "") ?? "";
  const name = first(username);
  if (name === "") return undefined;
  const id = first(uid);
  const groups = group.flatMap((header) =>
    lines.filter((line) => line.name === header.toLowerCase() && line.value !== "").map(({ value }) => value),
  );
  const extra = new Map<string, string[]>();
  for (const prefix of extraPrefix.map((text) => text.toLowerCase())) {
    for (const line of lines) {
      if (!line.name.startsWith(prefix)) continue;
      const key = unescapeKey(line.name.slice(prefix.length));
      const known = extra.get(key);
      if (known) known.push(line.value);
      else extra.set(key, [line.value]);
    }
  }
  return {
    user: {
      name,
      ...(id === "" ? {} : { uid: id }),
      groups,
      ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
    },
  };
}

/**
 * Gives requests without headers that name their client: no backend of the server may trust them. A request that has none is
 * handed on as it is.
 */
export function createHeaderHider(all: readonly UserHeaders[]): (request: ApiRequest) => ApiRequest {
  const names = new Set(
    all.flatMap(({ username, uid, group }) => [...username, ...uid, ...group]).map((name) => name.toLowerCase()),
  );
  const prefixes = [...new Set(all.flatMap(({ extraPrefix }) => extraPrefix.map((prefix) => prefix.toLowerCase())))];
  const isHidden = (name: string): boolean => {
    for (const prefix of prefixes) if (name.startsWith(prefix)) return true;
    return names.has(name);
  };
  return (request) => {
    for (const name of request.headerNames()) if (isHidden(name)) return hidingHeaders(request, isHidden);
    return request;
  };
}

function hidingHeaders(request: ApiRequest, isHidden: (name: string) => boolean): ApiRequest {
  const { wire } = request;
  return {
    method: request.method,
    path: request.path,
    query: request.query,
    header: (name) => (isHidden(name) ? undefined : request.header(name)),
    headerNames: () => [...request.headerNames()].filter((name) => !isHidden(name)),
    body: request.body,
    get signal() {
      return request.signal;
    },
    whenGone: (then) => request.whenGone(then),
    caller: request.caller,
    ...(wire
      ? { wire: { ...wire, headerLines: () => wire.headerLines().filter(([name]) => !isHidden(name.toLowerCase())) } }
      : {}),
  };
}
