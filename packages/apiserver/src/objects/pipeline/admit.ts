import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { withEntries } from "../managed-fields.js";
import type { PendingWrite } from "./pending-write.js";

/** Validating admission; an update that creates has to be allowed to create by then. */
export function admit(write: PendingWrite): Soon<void> {
  const allowed = write.current ? undefined : write.requested.mayCreate?.();
  return whenKnown(allowed, () => validateByAdmission(write));
}

function validateByAdmission({ deps, scope: { projection }, attributes, name, object, old }: PendingWrite): Soon<void> {
  const asked = { ...attributes, name, object };
  if (!projection) return deps.admission.validate(asked);
  const seen = withEntries(projection.project(object), []);
  return deps.admission.validate({ ...asked, object: seen, old: old && withEntries(old, []) });
}
