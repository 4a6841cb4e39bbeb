export { startCluster, type StartClusterOptions } from "./start-cluster.js";
export { type Exploration, type ExploreOptions, exploreSchedules } from "./schedules/explore-schedules.js";
export { ScheduleFailure } from "./schedules/schedule-failure.js";
export type { ScheduleChange, ScheduledFault, SchedulePlan } from "./schedules/schedule-plan.js";
export type { ClusterSnapshot, TestClock, TestCluster } from "./test-cluster.js";
export type { Fault, FaultLimit, FaultMatch, FaultRule } from "./faults/fault-rule.js";
export type { Faults } from "./faults/inject-faults.js";
export type { Program, ProgramWorld, RunningProgram, StartProgram } from "./programs.js";
export type { TimeSpan } from "./time-span.js";
