import type { Runtime } from "@coxswain/runtime";
import type { CertificateMetrics } from "../webhook/certificate-metrics.js";
import { createWebhookClient, type WebhookClient } from "../webhook/webhook-client.js";
import { createAbacAuthorizer } from "./abac/abac-authorizer.js";
import { type Authorizer, union } from "./attributes.js";
import type { AuthorizerConfig } from "./authorizer-config.js";
import { type CountDecisions, countDecisions } from "./count-decisions.js";
import { type AuthorizerDeps, createModeAuthorizer } from "./create-authorizer.js";
import { privilegedGroup } from "./modes.js";
import { createGraphMetrics } from "./node/graph-metrics.js";
import { createRuleLister } from "./rule-lister.js";
import type { RuleLister } from "./user-rules.js";
import { createWebhookAuthorizer } from "./webhook/webhook-authorizer.js";
import { createWebhookMetrics, type WebhookMetrics } from "./webhook/webhook-metrics.js";

export interface AuthorizationDeps extends Omit<AuthorizerDeps, "measureGraph"> {
  readonly runtime: Runtime;
  /** Of services that decide. */
  readonly certificates?: CertificateMetrics;
}

/** Who decides, and what they let a user do as far as it can be listed. */
export interface Authorization {
  readonly authorizer: Authorizer;
  readonly rulesOf: RuleLister;
  /** From now on these decide. Answers of webhooks that were kept are forgotten. */
  replace(configs: readonly AuthorizerConfig[]): void;
  stop(): void;
}

/** The configured authorizers in their order, behind system:masters. */
export function createAuthorization(configs: readonly AuthorizerConfig[], deps: AuthorizationDeps): Authorization {
  const counting = countDecisions(deps.runtime.metrics);
  const webhooks = createWebhookMetrics(deps.runtime.metrics, deps.runtime.ioClock);
  const measureGraph = createGraphMetrics(deps.runtime.metrics, deps.runtime.ioClock);
  const chainOf = (wanted: readonly AuthorizerConfig[]) =>
    createChain(wanted, { ...deps, measureGraph }, { counting, webhooks });
  let chain = chainOf(configs);
  return {
    authorizer: (asked) => chain.authorizer(asked),
    rulesOf: (user, namespace) => chain.rulesOf(user, namespace),
    replace(next) {
      const before = chain;
      chain = chainOf(next);
      before.stop();
    },
    stop: () => chain.stop(),
  };
}

function createChain(
  configs: readonly AuthorizerConfig[],
  deps: AuthorizationDeps & AuthorizerDeps,
  { counting, webhooks }: { counting: CountDecisions; webhooks: WebhookMetrics },
): Omit<Authorization, "replace"> {
  const clients: WebhookClient[] = [];
  const authorizerOf = (config: AuthorizerConfig): Authorizer => {
    if (config.type === "ABAC") return createAbacAuthorizer(config.policies);
    if (config.type !== "Webhook") return createModeAuthorizer(config.type, deps);
    const { connection, timeoutMs, ...settings } = config.webhook;
    const { onTry, onFailOpen, conditionMetrics } = webhooks(config.name);
    const client = createWebhookClient(connection, {
      runtime: deps.runtime,
      timeoutMs,
      onTry,
      ...(deps.certificates && { certificates: deps.certificates }),
      expects: { apiVersion: `authorization.k8s.io/${settings.version}`, kind: "SubjectAccessReview" },
    });
    clients.push(client);
    return createWebhookAuthorizer({
      ...settings,
      post: (review) => client.post(review),
      clock: deps.runtime.ioClock,
      conditionMetrics,
      onFailOpen,
    });
  };
  return {
    authorizer: union(privilegedGroup, ...configs.map((config) => counting(config, authorizerOf(config)))),
    rulesOf: createRuleLister(configs, deps.feed),
    stop() {
      for (const client of clients) client.stop();
    },
  };
}
