import type { Runtime } from "@coxswain/runtime";
import type { HookClients } from "../../webhook/hook-clients.js";
import type { EquivalentResources } from "../matching/equivalent-resources.js";
import type { NamespaceLister } from "../matching/selectors.js";
import type { ConfiguredWebhook } from "./configured-webhooks.js";
import type { WebhookMetrics, WebhookType } from "./webhook-metrics.js";

/** What the two webhook plugins rest on. */
export interface WebhookPluginDeps {
  readonly type: WebhookType;
  webhooks(): readonly ConfiguredWebhook[];
  readonly namespaces: NamespaceLister;
  readonly equivalents: EquivalentResources;
  readonly clients: HookClients;
  readonly metrics: WebhookMetrics;
  readonly runtime: Runtime;
}
