export { cachedEnvtestProject, ensureEnvtestProject, type EnvtestProject, type Suite } from "./project.js";
export { runSuite, type SpecResult, type SuiteOptions, type SuiteResult } from "./run-suite.js";
