import type { DeepReadonly } from "@coxswain/api";
import type { SecurityContext } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, namedText } from "@coxswain/apimachinery/field";
import { checkGroupId, checkUserId } from "@coxswain/apimachinery/validation";
import { checkOneOf, problemsAt } from "../../checks/field-errors.js";
import { internalValue } from "../../internal-form/internal-form.js";
import type { SpecFacts } from "../spec-facts.js";
import { checkAppArmorProfile } from "./app-armor.js";
import { checkSeccompProfile } from "./seccomp.js";
import { checkWindowsOptions } from "./windows-options.js";

export function checkSecurityContext(
  context: DeepReadonly<SecurityContext>,
  path: FieldPath,
  { rules, hostUsers }: Pick<SpecFacts, "rules" | "hostUsers">,
): FieldError[] {
  const { privileged, runAsUser, runAsGroup, procMount } = context;
  const errors: FieldError[] = [];
  if (privileged && !rules.allowPrivileged)
    errors.push(forbidden(path.child("privileged"), "disallowed by cluster policy"));
  if (runAsUser !== undefined) append(errors, problemsAt(path.child("runAsUser"), runAsUser, checkUserId(runAsUser)));
  if (runAsGroup !== undefined)
    append(errors, problemsAt(path.child("runAsGroup"), runAsGroup, checkGroupId(runAsGroup)));
  if (procMount !== undefined) {
    append(errors, checkOneOf(procMount, ["Default", "Unmasked"], path.child("procMount")));
    if (hostUsers && procMount === "Unmasked")
      errors.push(
        invalid(path.child("procMount"), namedText(procMount), "`hostUsers` must be false to use `Unmasked`"),
      );
  }
  if (context.seccompProfile) append(errors, checkSeccompProfile(context.seccompProfile, path.child("seccompProfile")));
  append(errors, checkEscalation(context, path));
  if (context.windowsOptions) append(errors, checkWindowsOptions(context.windowsOptions, path.child("windowsOptions")));
  if (context.appArmorProfile)
    append(errors, checkAppArmorProfile(context.appArmorProfile, path.child("appArmorProfile")));
  return errors;
}

/** Who may not gain privileges cannot have them all from the start. */
function checkEscalation(context: DeepReadonly<SecurityContext>, path: FieldPath): FieldError[] {
  const { allowPrivilegeEscalation, privileged, capabilities } = context;
  if (allowPrivilegeEscalation !== false) return [];
  const clashes = [
    ...(privileged ? ["`privileged` to true"] : []),
    ...(capabilities?.add ?? [])
      .filter((name) => name === "CAP_SYS_ADMIN")
      .map((name) => `\`capabilities.Add\` ${name}`),
  ];
  return clashes.map((clash) =>
    invalid(
      path,
      internalValue("SecurityContext", context),
      `cannot set \`allowPrivilegeEscalation\` to false and ${clash}`,
    ),
  );
}
