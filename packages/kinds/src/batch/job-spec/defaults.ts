import type { TypeDefaults } from "../../defaults/type-defaults.js";
import { podSpecDefaults } from "../../pod-spec/defaults.js";

/** The defaults of all that a job's spec is made of; cron jobs hold one too, whose own defaults are set when a job is made of it. */
export const jobTypeDefaults: TypeDefaults = {
  ...podSpecDefaults,
  "io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern": (pattern: { status: string }) =>
    void (pattern.status ||= "True"),
};
