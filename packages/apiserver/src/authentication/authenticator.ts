import type { ApiRequest } from "../server/request.js";
import type { UserInfo } from "../server/user-info.js";

/** Answers who asks; undefined: it does not know, ask the next. Throws 401 for credentials that are wrong. */
export type Authenticator = (request: ApiRequest) => Promise<UserInfo | undefined> | UserInfo | undefined;

/** In-process components are who they say they are: no listener can make such a caller. */
export const processCaller: Authenticator = ({ caller }) => (caller.via === "process" ? caller.user : undefined);

/** A client certificate names its user as CN and the groups as O. The listener hands on only what chains to the client CA. */
export const clientCertificate: Authenticator = ({ caller }) => {
  if (caller.via !== "socket" || !caller.certificate) return undefined;
  const { commonName, organizations } = caller.certificate;
  return commonName === "" ? undefined : { name: commonName, groups: organizations };
};
