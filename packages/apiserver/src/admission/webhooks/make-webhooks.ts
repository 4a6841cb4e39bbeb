import { isAbsolute } from "node:path";
import { fieldErrorText, fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { createLister } from "../../cache/lister.js";
import { collectionPrefix } from "../../cache/object-key.js";
import type { Catalogue } from "../../catalogue/catalogue.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { Network } from "../../network/network.js";
import type { CertificateMetrics } from "../../webhook/certificate-metrics.js";
import { createHookClients } from "../../webhook/hook-clients.js";
import { type FindCredentials, noCredentials, readHookCredentials } from "../../webhook/hook-credentials.js";
import type { ServiceResolver } from "../../webhook/service-resolver.js";
import type { AdmissionPlugin } from "../admission.js";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { readConfiguration } from "../configuration/read-configuration.js";
import { createEquivalentResources } from "../matching/equivalent-resources.js";
import type { MatchConditionCompiler } from "../matching/match-conditions.js";
import { createCelConditionCompiler } from "../policies/engine/cel-match-conditions.js";
import type { PolicyDeps } from "../policies/policy-deps.js";
import { configuredWebhooks } from "./configured-webhooks.js";
import { createMutatingWebhooks } from "./mutating-webhooks.js";
import { createValidatingWebhooks } from "./validating-webhooks.js";
import type { WebhookMetrics, WebhookType } from "./webhook-metrics.js";

/** What the server lends to admission webhooks. */
export interface WebhookDeps {
  readonly metrics: WebhookMetrics;
  readonly certificates?: CertificateMetrics;
  readonly resolver: ServiceResolver;
  readonly network: Network;
  readonly catalogue: Pick<Catalogue, "generation" | "kinds">;
  /** @default CEL */
  readonly conditions?: MatchConditionCompiler;
}

const plugins = {
  admit: { resource: "mutatingwebhookconfigurations", create: createMutatingWebhooks },
  validating: { resource: "validatingwebhookconfigurations", create: createValidatingWebhooks },
} as const;

/** One of the two webhook plugins. */
export function makeWebhooks(
  type: WebhookType,
  deps: Pick<PolicyDeps, "feed" | "authorizer" | "policyEngine" | "runtime"> & { readonly webhooks: WebhookDeps },
  configuration: PluginConfiguration | undefined,
): AdmissionPlugin {
  const { feed, runtime, webhooks } = deps;
  const { metrics, certificates, resolver, network, catalogue, conditions } = webhooks;
  const { resource, create } = plugins[type];
  const kind = storedKind("admissionregistration.k8s.io", resource);
  const credentials = readCredentials(configuration);
  return create({
    type,
    webhooks: configuredWebhooks(
      createLister(feed.cacheOf(kind)),
      collectionPrefix(kind, ""),
      conditions ?? createCelConditionCompiler(deps),
    ),
    namespaces: createLister(feed.cacheOf(storedKind("", "namespaces"))),
    equivalents: createEquivalentResources(catalogue),
    clients: createHookClients({
      runtime,
      resolver,
      network,
      credentials,
      ...(certificates && { certificates }),
    }),
    metrics,
    runtime,
  });
}

function readCredentials(configuration: PluginConfiguration | undefined): FindCredentials {
  if (!configuration) return noCredentials;
  const { kubeConfigFile = "" } = readConfiguration<{ kubeConfigFile: string }>(configuration, {
    "apiserver.config.k8s.io/v1": "WebhookAdmissionConfiguration",
  });
  if (kubeConfigFile === "") return noCredentials;
  if (!isAbsolute(kubeConfigFile))
    throw new Error(
      fieldErrorText(invalidField(fieldPath("kubeConfigFile"), kubeConfigFile, "must be an absolute file path")),
    );
  const readFile = (path: string): string => configuration.readFile(path);
  return readHookCredentials(readFile(kubeConfigFile), { file: kubeConfigFile, readFile });
}
