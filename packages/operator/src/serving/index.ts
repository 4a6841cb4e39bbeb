export type {
  CertificateSource,
  Handler,
  RunningServer,
  ServedRequest,
  ServedResponse,
  Servers,
  ServingCertificate,
} from "./server.js";
export { type HealthAnswer, type HealthCheck, healthPages, ping } from "./health.js";
export { countQueues, countReconciles } from "./controller-metrics.js";
