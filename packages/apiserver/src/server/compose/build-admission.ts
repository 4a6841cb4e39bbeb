import { type Admission, type AdmissionPlugin, createAdmission, noAdmission } from "../../admission/admission.js";
import type { PluginChoice } from "../../admission/choose-plugins.js";
import { defaultPlugins } from "../../admission/default-plugins.js";
import { createLazyPolicyEngine, type LazyPolicyEngine } from "../../admission/policies/engine/lazy-policy-engine.js";
import { createPolicyMetrics } from "../../admission/policies/policy-metrics.js";
import { createWebhookMetrics } from "../../admission/webhooks/webhook-metrics.js";
import type { Authorizer } from "../../authorization/attributes.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { makeNamespace } from "../../registry/namespaces/make-namespace.js";
import { createQuotaWriter } from "../../registry/resource-quotas/quota-writer.js";
import { createAdmissionMetrics } from "../metrics/admission-metrics.js";
import type { ServerCore } from "./server-core.js";

export interface BuiltAdmission {
  readonly admission: Admission;
  /** CEL for admission policies, loaded when it is first needed. */
  readonly policyEngine: LazyPolicyEngine;
  stop(): void;
}

/** The admission plugins in their order, measured. */
export function buildAdmission(core: ServerCore, authorizer: Authorizer, choice: PluginChoice): BuiltAdmission {
  const { store, feed, gates, catalogue, resolver, network, certificates, observability } = core;
  const { runtime } = core;
  const { ioClock } = runtime;
  /** What plugins write is part of a request that was admitted already. */
  const unadmitted: ObjectDeps = { store, feed, gates, runtime, admission: noAdmission };
  const policyEngine = createLazyPolicyEngine();
  const plugins: readonly AdmissionPlugin[] = defaultPlugins(
    {
      feed,
      gates,
      runtime,
      authorizer,
      catalogue,
      policyEngine,
      policyMetrics: createPolicyMetrics(observability.metrics, ioClock),
      webhooks: {
        metrics: createWebhookMetrics(observability.metrics),
        certificates,
        resolver,
        network,
        catalogue,
      },
      makeNamespace: (name) => makeNamespace(unadmitted, name),
      quotaWriter: createQuotaWriter(unadmitted),
    },
    choice,
  );
  observability.hooks.reach("admission is ready");
  return {
    admission: createAdmission(
      plugins,
      createAdmissionMetrics(observability.metrics, () => ioClock.monotonic()),
    ),
    policyEngine,
    stop() {
      for (const plugin of plugins) plugin.stop?.();
    },
  };
}
