export { type ApiServer, startApiServer } from "./server/compose/api-server.js";
export type {
  ApiOptions,
  ApiServerOptions,
  EventOptions,
  ServerSnapshot,
} from "./server/compose/api-server-options.js";
export type { LimitOptions } from "./server/requests/limit-options.js";
export type { ObservabilityOptions } from "./server/observability/observability.js";
export type { HistoryOptions } from "./registry/history/history.js";
export type { PluginChoice } from "./admission/choose-plugins.js";
export type { ServiceAllocationOptions } from "./registry/services/allocation.js";
export { type Credentials, type Listener, type ListenOptions, listen } from "./server/listener/listener.js";
export {
  listenForParts,
  type PartCredentials,
  type PartListener,
  userHeader,
} from "./server/listener/listen-for-parts.js";
export { createInProcessTransport, type InProcessOptions } from "./server/in-process/in-process.js";
export { createInProcessClient, type InProcessClient } from "./server/in-process/in-process-client.js";
export type { ProxyCredentials } from "./aggregation/backend.js";
export type { AggregationOptions } from "./aggregation/create-aggregation.js";
export type { AuthenticationOptions } from "./authentication/authentication-options.js";
export { createReloadMetrics, type ReloadMetrics } from "./configuration/reload-metrics.js";
export {
  type AuthenticationConfiguration,
  checkSameAnonymous,
  readAuthenticationConfiguration,
  validateConfiguration,
} from "./authentication/jwt/authentication-configuration.js";
export { type AnonymousOptions, anonymousForHealth } from "./authentication/anonymous.js";
export { type RequestHeaderOptions, standardUserHeaders } from "./authentication/request-headers.js";
export type { AuthorizationMode } from "./authorization/modes.js";
export { type AuthorizerConfig, configOfMode } from "./authorization/authorizer-config.js";
export { parseAbacPolicies } from "./authorization/abac/abac-policy.js";
export { type AccessExpressions, loadAccessExpressions } from "./configuration/access-expressions.js";
export { readAuthorizationConfiguration } from "./authorization/configuration.js";
export type { AuditOptions, Delivery } from "./audit/create-audit.js";
export { auditFlags } from "./audit/flags/audit-flags.js";
export { auditFrom } from "./audit/flags/audit-options.js";
export type { LineWriter, LogFormat } from "./audit/log-backend.js";
export { readPolicy } from "./audit/read-policy.js";
export { openRotatingFile } from "./audit/rotating-file.js";
export type { HealthCheck } from "./endpoints/paths/health.js";
export type { UserInfo } from "./request/user-info.js";
export { readAdmissionConfiguration } from "./admission/configuration/admission-configuration.js";
export type { PluginConfiguration } from "./admission/configuration/plugin-configuration.js";
export type { OwnApi } from "./aggregation/own-api.js";
export { connectError } from "./network/network.js";
export type { InsideNetwork } from "./network/network.js";
export type {
  InsideConnection,
  InsideConnections,
  InsideDial,
  SimulatedNetwork,
} from "./network/simulated-network.js";
export type { ServiceAddress, ServiceReference, ServiceResolver, ServiceRouting } from "./webhook/service-resolver.js";
export { prepareObjects, prepareWith } from "./server/compose/prepare-objects.js";
export type { PreparedObjects } from "./registry/own-writes/prepared-objects.js";
// For those who bring requests from elsewhere.
export type { ApiRequest, Caller, RequestBody } from "./request/request.js";
export type { Answer } from "./request/answer.js";
export type { ResponseSink } from "./request/response-sink.js";
export { type StatusAnswer, statusAnswer, type WatchAnswer } from "./request/answer.js";
export type { Filter, Handler } from "./request/filter.js";
export type { RequestContext } from "./request/request-context.js";
export { recordedCauses as attributedCauses } from "./registry/history/causes/recorded-causes.js";
