import type { Authorizer } from "../authorization/attributes.js";
import type { PolicyDeps } from "./policies/policy-deps.js";
import type { QuotaDeps } from "./resource-quota/make-resource-quota.js";
import type { WebhookDeps } from "./webhooks/make-webhooks.js";

/** What plugins read, and the few things that they write. */
export interface PluginDeps extends QuotaDeps, PolicyDeps {
  readonly authorizer: Authorizer;
  readonly webhooks: WebhookDeps;
  /** Makes a namespace on the server's own account, and returns when readers see it. */
  makeNamespace(name: string): Promise<void>;
}
