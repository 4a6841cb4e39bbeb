export { processSignal, runOperator, type RunOperatorOptions } from "./run-operator.js";
export { nodeServers, parseAddress } from "./node-servers.js";
export { certificateFiles, type CertificateFilesOptions } from "./certificate-files.js";
export { managedCertificates, type ManagedCertificatesOptions } from "./managed-certificates.js";
export { metricsGuard } from "./metrics-guard.js";
export { selfSigned } from "./self-signed.js";

// For extenders.
export { operatorFlags } from "./operator-flags.js";
export { injectAuthorities, type InjectionTargets } from "./inject-authorities.js";
export { type CertificateSet, planCertificates, type PlanOptions } from "./plan-certificates.js";
