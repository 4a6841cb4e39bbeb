export { type HealthCheck, type HealthReport, type HealthRunOptions, runHealthChecks } from "./health-checks.js";
