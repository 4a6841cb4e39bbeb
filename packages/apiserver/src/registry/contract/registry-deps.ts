import type { Verdict } from "../../authentication/authenticator.js";
import type { ServiceAccountTokens } from "../../authentication/service-account-tokens.js";
import type { RuleLister } from "../../authorization/user-rules.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import type { RecentRequests } from "../../request/recent-requests.js";
import type { ComponentChecks } from "../component-statuses/component-checks.js";
import type { StreamDeps } from "../streams/stream-deps.js";
import type { History } from "./history.js";
import type { KeyOwners } from "./key-owners.js";

/** What the registry's handlers rest on, beside what every verb does. */
export interface RegistryDeps extends StreamDeps {
  /** What componentstatuses ask. */
  readonly components: ComponentChecks;
  /** What a user may do in a namespace, as far as that can be listed. */
  readonly rulesOf: RuleLister;
  readonly tokens: ServiceAccountTokens;
  /** Undefined: none is kept, and none is served. */
  readonly history: History | undefined;
  /** The last requests, for those who ask why one was slow; undefined: none are remembered. */
  readonly recentRequests: RecentRequests | undefined;
  /** Whose key of the store is whose. */
  readonly keyOwners: KeyOwners;
  /** Whose token it is, of whatever kind; `audiences` empty: for this server. */
  reviewToken(token: string, audiences: readonly string[]): Promise<Verdict>;
}

/** A verb of one resource that the registry does itself. */
export type RegistryHandler = VerbHandler<RegistryDeps>;
