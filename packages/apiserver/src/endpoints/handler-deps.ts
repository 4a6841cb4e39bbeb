import type { Verdict } from "../authentication/authenticator.js";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.js";
import type { Authorizer } from "../authorization/attributes.js";
import type { RuleLister } from "../authorization/rule-lister.js";
import type { ListPins } from "../cache/list-pins.js";
import type { ComponentChecks } from "../registry/component-statuses/component-checks.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import type { Streams } from "../registry/streams/create-streams.js";
import type { RequestInfo } from "../request/request-info.js";

/** What the verbs rest on. */
export interface HandlerDeps extends ObjectDeps {
  readonly pins: ListPins;
  /** What authorization asks; reviews and a PUT that creates ask it again. */
  readonly authorizer: Authorizer;
  /** What a user may do in a namespace, as far as that can be listed. */
  readonly rulesOf: RuleLister;
  readonly tokens: ServiceAccountTokens;
  /** Whose token it is, of whatever kind; `audiences` empty: for this server. */
  reviewToken(token: string, audiences: readonly string[]): Promise<Verdict>;
  /** What componentstatuses ask. */
  readonly components: ComponentChecks;
  /** Connections to nodes, pods and services. */
  readonly streams: Streams;
  /** Bodies longer than this are refused with 413. */
  readonly maxBodyBytes: number;
  /** Told how long each body was. */
  readonly bodyRead?: (info: RequestInfo, bytes: number) => void;
  /** A watch without a timeout of its own ends after a time between this and twice this. */
  readonly minWatchMs: number;
}
