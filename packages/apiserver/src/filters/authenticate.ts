import { unauthorized } from "@coxswain/apimachinery/status";
import type { Authenticator } from "../authentication/authenticator.js";
import type { ApiRequest } from "../server/request.js";
import { anonymous, type UserInfo } from "../server/user-info.js";
import type { Filter } from "./filter.js";

/** The first authenticator that knows the caller decides; whom none knows is anonymous, unless it brought credentials. */
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

const withGroup = (user: UserInfo, group: string): UserInfo => (user.groups.includes(group) ? user : { ...user, groups: [...user.groups, group] });
