import type { ApiOptions, ServiceRouting } from "@coxswain/apiserver";
import { defineFlags, type OptionsOf } from "@coxswain/component/flags";

/** Which APIs are served. */
export const apiFlags = defineFlags({
  "feature-gates": {
    group: "API",
    type: "map",
    value: "gate=true|false,…",
    help: "Feature gates of Kubernetes 1.36 to switch on or off, beside AllAlpha and AllBeta.",
  },
  "runtime-config": {
    group: "API",
    type: "map",
    bareKeys: true,
    value: "name=true|false,…",
    help: "What to serve beside the defaults, or no longer: api/all, api/ga, api/beta, api/alpha, group/version or group/version/resource.",
  },
  "allow-privileged": {
    group: "API",
    type: "boolean",
    help: "Let containers be privileged. Without it such pods are refused.",
  },
  "enable-aggregator-routing": {
    group: "API",
    type: "boolean",
    help: "Reach webhooks and API servers behind services at their endpoints, not at the cluster IP.",
  },
});

type Options = OptionsOf<typeof apiFlags>;

export const apiFrom = ({ featureGates, runtimeConfig, allowPrivileged }: Options): ApiOptions => ({
  featureGates,
  runtimeConfig,
  allowPrivileged,
});

export const serviceRoutingFrom = ({ enableAggregatorRouting }: Options): ServiceRouting => ({
  toEndpoints: enableAggregatorRouting,
});
