import type { DeepReadonly } from "@coxswain/api";
import type { TokenRequest } from "@coxswain/api/storage/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  namedText,
  notSupported,
} from "@coxswain/apimachinery/field";
import { checkOneOf } from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StoredCsiDriver } from "./stored.js";

type Driver = DeepReadonly<StoredCsiDriver>;

const specPath = fieldPath("spec");
const tenMinutes = 600;

export const checkCsiDriver = ({ metadata, spec }: Driver): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: false }),
  ...checkSpec(spec),
];

export const checkCsiDriverUpdate = (next: Driver, old: Driver): FieldError[] => [
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkSpec(next.spec),
  ...checkImmutable(next.spec.attachRequired, old.spec.attachRequired, specPath.child("attachedRequired")),
  ...checkImmutable(
    next.spec.volumeLifecycleModes,
    old.spec.volumeLifecycleModes,
    specPath.child("volumeLifecycleModes"),
  ),
];

function checkSpec({
  fsGroupPolicy,
  tokenRequests = [],
  volumeLifecycleModes = [],
  nodeAllocatableUpdatePeriodSeconds: period,
  serviceAccountTokenInSecrets: inSecrets,
}: Driver["spec"]): FieldError[] {
  const errors =
    fsGroupPolicy === undefined
      ? []
      : [...checkOneOf(fsGroupPolicy, ["File", "None", "ReadWriteOnceWithFSType"], specPath.child("fsGroupPolicy"))];
  append(errors, checkTokenRequests(tokenRequests, specPath.child("tokenRequests")));
  for (const mode of volumeLifecycleModes) {
    if (mode !== "Persistent" && mode !== "Ephemeral")
      errors.push(notSupported(specPath.child("volumeLifecycleModes"), namedText(mode), ["Persistent", "Ephemeral"]));
  }
  if (period !== undefined && period < 10)
    errors.push(
      invalid(
        specPath.child("nodeAllocatableUpdatePeriodSeconds"),
        period,
        "must be greater than or equal to 10 seconds",
      ),
    );
  if (inSecrets !== undefined && tokenRequests.length === 0) {
    errors.push(
      invalid(
        specPath.child("serviceAccountTokenInSecrets"),
        inSecrets,
        "serviceAccountTokenInSecrets is set but no tokenRequests are specified",
      ),
    );
  }
  return errors;
}

function checkTokenRequests(requests: readonly DeepReadonly<TokenRequest>[], path: FieldPath): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience, expirationSeconds: seconds }, at) => {
    if (audiences.has(audience)) return [duplicate(path.index(at).child("audience"), audience)];
    audiences.add(audience);
    const here = path.index(at).child("expirationSeconds");
    if (seconds === undefined) return [];
    if (seconds < tenMinutes) return [invalid(here, seconds, "may not specify a duration less than 10 minutes")];
    return seconds > 2 ** 32 ? [invalid(here, seconds, "may not specify a duration larger than 2^32 seconds")] : [];
  });
}
