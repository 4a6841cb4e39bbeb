export { type ProxyOptions, type RunningProxy, startProxy } from "./start/start-proxy.js";
export { type PoliciesOptions, type RunningPolicies, startPolicies } from "./policy/start-policies.js";
export { cleanUp } from "./start/clean-up.js";
export { checkedConfig, parseProxyConfig } from "./config/parse-config.js";
export { splitHostPort } from "./config/complete-config.js";
export type { ConfigDocument } from "./config/config-types.js";
export type { ProxyConfig } from "./config/proxy-config.js";
export { planLimits, setLimits } from "./conntrack/set-limits.js";
export { createHealthPages, type HealthPage } from "./health/health-pages.js";
export { type PlainServer, servePlain } from "./health/serve-plain.js";
export { writeMasquerade } from "./masquerade/masquerade-table.js";

// For those who plan rules of their own.
export type { Backend, Frontend, PortFrontends, Protocol, ServiceFrontends } from "./frontends/frontend.js";
export { planFrontends, type ThisNode } from "./frontends/plan-frontends.js";
export { createNft, type Nft } from "./nft/run-nft.js";
