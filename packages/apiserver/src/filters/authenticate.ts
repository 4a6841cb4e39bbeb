import { unauthorized } from "@coxswain/apimachinery/status";
import type { ApiRequest } from "../server/request.js";
import { anonymous, type UserInfo } from "../server/user-info.js";
import type { Filter } from "./filter.js";

/** Answers who asks; undefined: it does not know, ask the next. Throws 401 for credentials that are wrong. */
export type Authenticator = (request: ApiRequest) => Promise<UserInfo | undefined> | UserInfo | undefined;

/** The first authenticator that knows the caller decides; whom none knows is anonymous. */
export const authenticate =
  (authenticators: readonly Authenticator[]): Filter =>
  async (context, next) => {
    context.user = await identify(authenticators, context.request);
    return next(context);
  };

async function identify(authenticators: readonly Authenticator[], request: ApiRequest): Promise<UserInfo> {
  for (const authenticator of authenticators) {
    const user = await authenticator(request);
    if (user) return withGroup(user, "system:authenticated");
  }
  if (request.header("authorization") !== undefined) throw unauthorized("Unauthorized");
  return anonymous;
}

/** In-process components are who they say they are: no listener can make such a caller. */
export const processCaller: Authenticator = ({ caller }) => (caller.via === "process" ? caller.user : undefined);

/** A client certificate names its user as CN and the groups as O. The listener hands on only what chains to the client CA. */
export const clientCertificate: Authenticator = ({ caller }) => {
  if (caller.via !== "socket" || !caller.certificate) return undefined;
  const { commonName, organizations } = caller.certificate;
  return commonName === "" ? undefined : { name: commonName, groups: organizations };
};

const withGroup = (user: UserInfo, group: string): UserInfo => (user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] });
