export { childRuntime, type Runtime } from "./runtime/runtime.js";
export { traceAs } from "./runtime/trace-as.js";
export { systemRuntime } from "./runtime/system-runtime.js";
export { testRuntime, type TestRuntime } from "./runtime/test-runtime.js";
