// Each part is a sub-path of its own (`@coxswain/component/flags`, …), so that a program loads only what it uses.
export { type ClusterCertificates, ensureCertificates, type EnsureCertificatesOptions } from "./certificates/index.js";
export { formatKubeconfig, type KubeconfigOptions, writeKubeconfig } from "./kubeconfig/index.js";
export { type LogFields, type Logger, type LogLevel, logLevels, silentLogger } from "@coxswain/runtime/log";
export { createLogger, type LoggerOptions } from "./log/index.js";
export {
  defineFlags,
  type Flag,
  FlagError,
  type FlagTable,
  formatHelp,
  type OptionsOf,
  type ParsedFlags,
  parseFlags,
} from "./flags/index.js";
