import {
  type DeclaredType,
  declaredBool,
  declaredDyn,
  declaredInt,
  declaredList,
  declaredMap,
  declaredNamed,
  declaredString,
  simpleDeclared,
} from "../kubernetes/declared-type.js";
import { timestampType } from "../types/type.js";

const text = declaredString();
const texts = declaredList(text, 0);
const time = simpleDeclared(timestampType, 22);

const kindType = declaredNamed("kubernetes.GroupVersionKind", { group: text, version: text, kind: text });
const resourceType = declaredNamed("kubernetes.GroupVersionResource", { group: text, version: text, resource: text });

/** The variable `request`: an AdmissionRequest without the objects, which are variables themselves. */
export const requestType: DeclaredType = declaredNamed("kubernetes.AdmissionRequest", {
  kind: kindType,
  resource: resourceType,
  subResource: text,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: declaredNamed("kubernetes.UserInfo", {
    username: text,
    uid: text,
    groups: texts,
    extra: declaredMap(texts, 0),
  }),
  dryRun: declaredBool,
  options: declaredDyn,
});

/** The variable `namespaceObject`. */
export const namespaceType: DeclaredType = declaredNamed("kubernetes.Namespace", {
  metadata: declaredNamed("kubernetes.NamespaceMetadata", {
    name: text,
    generateName: text,
    namespace: text,
    labels: declaredMap(text, 0),
    annotations: declaredMap(text, 0),
    UID: text, // upstream's spelling; the value has `uid`, so that it cannot be read
    creationTimestamp: time,
    deletionGracePeriodSeconds: declaredInt,
    deletionTimestamp: time,
    generation: declaredInt,
    resourceVersion: text,
    finalizers: texts,
  }),
  spec: declaredNamed("kubernetes.NamespaceSpec", { finalizers: texts }),
  status: declaredNamed("kubernetes.NamespaceStatus", {
    conditions: declaredList(
      declaredNamed("kubernetes.NamespaceCondition", {
        status: text,
        type: text,
        lastTransitionTime: time,
        message: text,
        reason: text,
      }),
      0,
    ),
    phase: text,
  }),
});
