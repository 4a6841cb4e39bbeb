import type { Runtime } from "@coxswain/runtime";
import type { CertificateMeter } from "../webhook/certificate-meter.js";
import { createWebhookClient, type WebhookClient } from "../webhook/webhook-client.js";
import { createAbacAuthorizer } from "./abac/abac-authorizer.js";
import { type Authorizer, union } from "./attributes.js";
import type { AuthorizerConfig } from "./authorizer-config.js";
import { type CountDecisions, countDecisions } from "./count-decisions.js";
import { type AuthorizerDeps, createModeAuthorizer } from "./create-authorizer.js";
import { privilegedGroup } from "./modes.js";
import { createGraphMeter } from "./node/graph-meter.js";
import { createRuleLister } from "./rule-lister.js";
import type { RuleLister } from "./user-rules.js";
import { createWebhookAuthorizer } from "./webhook/webhook-authorizer.js";
import { createWebhookMeter, type WebhookMeter } from "./webhook/webhook-meter.js";

export interface AuthorizationDeps extends Omit<AuthorizerDeps, "measureGraph"> {
  readonly runtime: Runtime;
  /** Of services that decide. */
  readonly certificates?: CertificateMeter;
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
  const webhooks = createWebhookMeter(deps.runtime.metrics, deps.runtime.ioClock);
  const measureGraph = createGraphMeter(deps.runtime.metrics, deps.runtime.ioClock);
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
  { counting, webhooks }: { counting: CountDecisions; webhooks: WebhookMeter },
): Omit<Authorization, "replace"> {
  const clients: WebhookClient[] = [];
  const authorizerOf = (config: AuthorizerConfig): Authorizer => {
    if (config.type === "ABAC") return createAbacAuthorizer(config.policies);
    if (config.type !== "Webhook") return createModeAuthorizer(config.type, deps);
    const { connection, timeoutMs, ...settings } = config.webhook;
    const { onTry, onFailOpen, conditionMeter } = webhooks(config.name);
    const client = createWebhookClient(connection, {
      ioClock: deps.runtime.ioClock,
      random: deps.runtime.random,
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
      conditionMeter,
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
