import type { NonResourceRule, ResourceRule } from "@coxswain/api/authorization/v1";
import type { UserInfo } from "../request/user-info.js";

export interface UserRules {
  readonly resourceRules: ResourceRule[];
  readonly nonResourceRules: NonResourceRule[];
  /** There are more than can be listed. */
  readonly incomplete: boolean;
  /** Why some may be missing. */
  readonly error?: string;
}

export type RuleLister = (user: UserInfo, namespace: string) => UserRules;
