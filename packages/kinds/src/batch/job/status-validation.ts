import type { DeepReadonly } from "@coxswain/api";
import type { JobStatus } from "@coxswain/api/batch/v1";
import {
  duplicate,
  type FieldError,
  fieldPath,
  invalid,
  namedText,
  omittedValue,
  required,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { checkCounts } from "../../checks/counts.js";
import { checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { findOverlap, readIndexes } from "../job-spec/indexes.js";
import { hasCondition, isFinished } from "./conditions.js";
import type { StoredJob } from "./stored.js";

type ReadJob = DeepReadonly<StoredJob>;
type Status = DeepReadonly<JobStatus>;

const path = fieldPath("status");
const conditionsPath = path.child("conditions");

/** A rule about what has changed is not held against a status that broke it before. */
export function checkJobStatus(next: ReadJob, old: ReadJob): FieldError[] {
  return [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkCounts(next.status, ["active", "succeeded", "failed", "ready", "terminating"], path),
    ...checkUncounted(next.status),
    ...checkEnding(next, old),
    ...checkIndexes(next, old),
    ...checkPods(next, old),
    ...checkCriteria(next),
    ...checkNoWayBack(next, old),
  ];
}

function checkUncounted({ uncountedTerminatedPods: pods }: Status): FieldError[] {
  const seen = new Set<string>();
  return (["succeeded", "failed"] as const).flatMap((member) =>
    (pods?.[member] ?? []).flatMap((uid, at) => {
      const here = path.child("uncountedTerminatedPods", member).index(at);
      if (uid === "") return [invalid(here, namedText(uid), "must not be empty")];
      if (seen.has(uid)) return [duplicate(here, namedText(uid))];
      seen.add(uid);
      return [];
    }),
  );
}

/** Whether any of these has changed. */
const changed = (next: Status, old: Status, ...members: readonly (keyof Status)[]): boolean =>
  members.some((member) => !equalJson(next[member] ?? undefined, old[member] ?? undefined));
const conditionChanged = (next: Status, old: Status, ...types: readonly string[]): boolean =>
  types.some((type) => hasCondition(next, type) !== hasCondition(old, type));

const wrongConditions = (why: string): FieldError => invalid(conditionsPath, omittedValue, why);

function checkEnding({ spec, status }: ReadJob, { status: old }: ReadJob): FieldError[] {
  const [complete, failed, failing, met] = ["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"].map((type) =>
    hasCondition(status, type),
  );
  const { startTime, completionTime, active = 0, uncountedTerminatedPods: uncounted } = status;
  const completionChanged = conditionChanged(status, old, "Complete") || changed(status, old, "completionTime");
  const finished = isFinished(status);
  const finishedChanged = finished !== isFinished(old);
  const errors: FieldError[] = [];
  if (conditionChanged(status, old, "Complete", "Failed") && complete && failed)
    errors.push(wrongConditions("cannot set Complete=True and Failed=true conditions"));
  if (conditionChanged(status, old, "Complete", "FailureTarget") && complete && failing)
    errors.push(wrongConditions("cannot set Complete=True and FailureTarget=true conditions"));
  if (completionChanged && completionTime && !complete)
    errors.push(
      invalid(
        path.child("completionTime"),
        namedText(completionTime),
        "cannot set completionTime when there is no Complete=True condition",
      ),
    );
  if (completionChanged && !completionTime && complete)
    errors.push(required(path.child("completionTime"), "completionTime is required for Complete jobs"));
  if (
    changed(status, old, "startTime", "completionTime") &&
    startTime &&
    completionTime &&
    Date.parse(completionTime) < Date.parse(startTime)
  ) {
    errors.push(
      invalid(path.child("completionTime"), namedText(completionTime), "must be equal to or after `startTime`"),
    );
  }
  if ((conditionChanged(status, old, "Failed") || changed(status, old, "failedIndexes")) && failed && !failing)
    errors.push(wrongConditions("cannot set Failed=True condition without the FailureTarget=true condition"));
  if (conditionChanged(status, old, "Complete", "SuccessCriteriaMet") && complete && !met)
    errors.push(wrongConditions("cannot set Complete=True condition without the SuccessCriteriaMet=true condition"));
  if ((finishedChanged || changed(status, old, "active")) && active > 0 && finished)
    errors.push(invalid(path.child("active"), active, "active>0 is invalid for finished job"));
  const suspendedForNothing = spec.suspend === true && spec.completions === 0;
  if ((finishedChanged || changed(status, old, "startTime")) && !suspendedForNothing && !startTime && finished)
    errors.push(required(path.child("startTime"), "startTime is required for finished job"));
  const left = (uncounted?.failed?.length ?? 0) + (uncounted?.succeeded?.length ?? 0);
  if ((finishedChanged || changed(status, old, "uncountedTerminatedPods")) && finished && left > 0) {
    errors.push(
      invalid(
        path.child("uncountedTerminatedPods"),
        { Succeeded: uncounted?.succeeded ?? null, Failed: uncounted?.failed ?? null },
        "must be empty for finished job",
      ),
    );
  }
  return errors;
}

function checkIndexes({ spec, status }: ReadJob, { status: old }: ReadJob): FieldError[] {
  const { completedIndexes: completed = "", failedIndexes: failed } = status;
  const [completedChanged, failedChanged] = [
    changed(status, old, "completedIndexes"),
    changed(status, old, "failedIndexes"),
  ];
  const [completedPath, failedPath] = [path.child("completedIndexes"), path.child("failedIndexes")];
  const errors: FieldError[] = [];
  const check = (text: string, at: typeof path, what: string): void => {
    const read = readIndexes(text, spec.completions ?? 0);
    if ("problem" in read) errors.push(invalid(at, text, `error parsing ${what}: ${read.problem}`));
  };
  if (completedChanged && spec.completions !== undefined) check(completed, completedPath, "completedIndexes");
  if (
    failedChanged &&
    spec.completions !== undefined &&
    spec.backoffLimitPerIndex !== undefined &&
    failed !== undefined
  )
    check(failed, failedPath, "failedIndexes");
  if (completedChanged && completed !== "" && spec.completionMode !== "Indexed")
    errors.push(
      invalid(completedPath, completed, "cannot set non-empty completedIndexes when non-indexed completion mode"),
    );
  if (failedChanged && spec.backoffLimitPerIndex === undefined && failed !== undefined)
    errors.push(invalid(failedPath, failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"));
  if ((failedChanged || completedChanged) && spec.completions !== undefined && failed !== undefined) {
    const overlap = findOverlap(completed, failed, spec.completions);
    if (overlap !== undefined)
      errors.push(invalid(failedPath, failed, `failedIndexes and completedIndexes overlap at index: ${overlap}`));
  }
  return errors;
}

function checkPods({ status }: ReadJob, { status: old }: ReadJob): FieldError[] {
  const { terminating = 0, ready = 0, active = 0 } = status;
  const finished = isFinished(status);
  const errors: FieldError[] = [];
  if ((finished !== isFinished(old) || changed(status, old, "terminating")) && terminating > 0 && finished)
    errors.push(invalid(path.child("terminating"), terminating, "terminating>0 is invalid for finished job"));
  if (changed(status, old, "ready", "active") && status.ready !== undefined && ready > active)
    errors.push(invalid(path.child("ready"), ready, "cannot set more ready pods than active"));
  return errors;
}

function checkCriteria({ spec, status }: ReadJob): FieldError[] {
  const met = hasCondition(status, "SuccessCriteriaMet");
  return [
    ...(met && hasCondition(status, "Failed")
      ? [wrongConditions("cannot set SuccessCriteriaMet=True and Failed=true conditions")]
      : []),
    ...(met && hasCondition(status, "FailureTarget")
      ? [wrongConditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions")]
      : []),
    ...(!met && spec.successPolicy && hasCondition(status, "Complete")
      ? [wrongConditions("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True")]
      : []),
  ];
}

/** What is over stays over, and what is counted stays counted. */
function checkNoWayBack({ spec, status }: ReadJob, { status: old }: ReadJob): FieldError[] {
  const { failed = 0, succeeded = 0, completionTime, startTime } = status;
  const ended = ["Failed", "Complete", "FailureTarget"].filter(
    (type) => hasCondition(old, type) && !hasCondition(status, type),
  );
  const errors = ended.map((type) => wrongConditions(`cannot disable the terminal ${type}=True condition`));
  if (failed < (old.failed ?? 0))
    errors.push(invalid(path.child("failed"), failed, "cannot decrease the failed counter"));
  const isElastic = spec.completionMode === "Indexed" && spec.completions === spec.parallelism;
  if (!isElastic && succeeded < (old.succeeded ?? 0))
    errors.push(invalid(path.child("succeeded"), succeeded, "cannot decrease the succeeded counter"));
  if (completionTime && old.completionTime && completionTime !== old.completionTime)
    errors.push(invalid(path.child("completionTime"), namedText(completionTime), "field is immutable"));
  const resumes = hasCondition(old, "Suspended") && hasCondition(status, "Suspended", "False");
  if (changed(status, old, "startTime") && !resumes && old.startTime && spec.suspend !== true) {
    errors.push(
      invalid(
        path.child("startTime"),
        startTime ? namedText(startTime) : null,
        "field is immutable for unsuspended job once set",
      ),
    );
  }
  const [was, is] = [hasCondition(old, "SuccessCriteriaMet"), hasCondition(status, "SuccessCriteriaMet")];
  if (was && !is) errors.push(wrongConditions("cannot disable the SuccessCriteriaMet=True condition"));
  if (hasCondition(old, "Complete") && !was && is)
    errors.push(wrongConditions("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"));
  return errors;
}
