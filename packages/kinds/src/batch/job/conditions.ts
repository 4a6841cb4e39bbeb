import type { DeepReadonly } from "@coxswain/api";
import type { JobStatus } from "@coxswain/api/batch/v1";

export const hasCondition = ({ conditions = [] }: DeepReadonly<JobStatus>, type: string, status = "True"): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === status);

export const isFinished = (status: DeepReadonly<JobStatus>): boolean =>
  hasCondition(status, "Complete") || hasCondition(status, "Failed");
