export { podLogLines, podLogs, type PodLogOptions } from "./pod-logs.js";
