import { type EnvironmentOptions } from "../environment/environment.js";
import { authorizerType, resourceCheckType } from "../kubernetes/authorizer.js";
import { declaredTypeProvider } from "../kubernetes/declared-types.js";
import { createBaseEnvironments, type EnvironmentSet } from "../kubernetes/environments.js";
import { jsonPatchLibrary } from "../kubernetes/json-patch.js";
import { mutationTypes } from "../kubernetes/mutation-types.js";
import { dynType } from "../types/type.js";
import { namespaceType, requestType } from "./variable-types.js";

/** Which variables an expression has besides `object`, `oldObject`, `request` and `namespaceObject`. */
export interface Declared {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** `Object{…}`, `JSONPatch{…}` and `jsonpatch.escapeKey`. */
  readonly patchTypes?: boolean;
}

/** The environment of an expression, by its variables. Each is made once, when it is first asked for. */
export type AdmissionEnvironments = (declared: Declared) => EnvironmentSet;

/** `more` is in all of them: the variables of a policy. */
export function createAdmissionEnvironments(
  more: EnvironmentOptions = {},
  base: EnvironmentSet = createBaseEnvironments(),
): AdmissionEnvironments {
  const made = new Map<string, EnvironmentSet>();
  return ({ params, authorizer, patchTypes = false }) => {
    const key = `${params} ${authorizer} ${patchTypes}`;
    let environments = made.get(key);
    if (environments === undefined) {
      environments = base.extend({
        variables: {
          ...more.variables,
          object: dynType,
          oldObject: dynType,
          namespaceObject: namespaceType.type,
          request: requestType.type,
          ...(params && { params: dynType }),
          ...(authorizer && { authorizer: authorizerType, "authorizer.requestResource": resourceCheckType }),
        },
        providers: [...(more.providers ?? []), admissionTypes, ...(patchTypes ? [mutationTypes] : [])],
        libraries: patchTypes ? [jsonPatchLibrary] : [],
      });
      made.set(key, environments);
    }
    return environments;
  };
}

const admissionTypes = declaredTypeProvider([namespaceType, requestType]);
