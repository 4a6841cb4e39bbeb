import type { DeepReadonly } from "@coxswain/api";
import type { Container, ContainerRestartRule } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, required, tooMany } from "@coxswain/apimachinery/field";
import { checkOneOf } from "../../checks/field-errors.js";
import type { PodRules } from "../pod-rules.js";

type Restarting = DeepReadonly<Pick<Container, "restartPolicy" | "restartPolicyRules">>;

const mostRules = 20;
const mostExitCodes = 255;

export function checkRestartPolicy(
  { restartPolicy, restartPolicyRules = [] }: Restarting,
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  if (!rules.restartRules)
    return restartPolicy === undefined
      ? []
      : [forbidden(path.child("restartPolicy"), "may not be set for non-init containers")];
  return checkPolicyAndRules({ restartPolicy, restartPolicyRules }, path, rules);
}

/** An init container that always restarts is a sidecar. */
export function checkInitRestartPolicy(
  { restartPolicy, restartPolicyRules = [] }: Restarting,
  path: FieldPath,
  rules: PodRules,
): readonly FieldError[] {
  if (restartPolicy === undefined) return missingPolicy(restartPolicyRules, path);
  if (!rules.restartRules) return checkOneOf(restartPolicy, ["Always"], path.child("restartPolicy"));
  if (restartPolicy !== "Always" || rules.restartAllContainers)
    return checkPolicyAndRules({ restartPolicy, restartPolicyRules }, path, rules);
  if (restartPolicyRules.length === 0) return [];
  return [
    forbidden(
      path.child("restartPolicyRules"),
      "restartPolicyRules are not allowed for init containers with restart policy Always",
    ),
  ];
}

const missingPolicy = (rules: readonly unknown[], path: FieldPath): FieldError[] =>
  rules.length === 0
    ? []
    : [required(path.child("restartPolicy"), "must specify restartPolicy when restart rules are used")];

function checkPolicyAndRules(
  {
    restartPolicy,
    restartPolicyRules,
  }: { restartPolicy: string | undefined; restartPolicyRules: readonly DeepReadonly<ContainerRestartRule>[] },
  path: FieldPath,
  rules: PodRules,
): FieldError[] {
  const errors: FieldError[] =
    restartPolicy === undefined
      ? missingPolicy(restartPolicyRules, path)
      : [...checkOneOf(restartPolicy, ["Always", "Never", "OnFailure"], path.child("restartPolicy"))];
  const at = path.child("restartPolicyRules");
  if (restartPolicyRules.length > mostRules) errors.push(tooMany(at, restartPolicyRules.length, mostRules));
  const actions = rules.restartAllContainers ? ["Restart", "RestartAllContainers"] : ["Restart"];
  for (const [i, { action, exitCodes }] of restartPolicyRules.entries()) {
    append(errors, checkOneOf(action, actions, at.index(i).child("action")));
    const codes = at.index(i).child("exitCodes");
    if (!exitCodes) {
      errors.push(required(codes, "must be specified"));
      continue;
    }
    append(errors, checkOneOf(exitCodes.operator, ["In", "NotIn"], codes.child("operator")));
    const count = exitCodes.values?.length ?? 0;
    if (count > mostExitCodes) errors.push(tooMany(codes.child("values"), count, mostExitCodes));
  }
  return errors;
}
