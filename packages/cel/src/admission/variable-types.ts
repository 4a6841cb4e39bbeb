import {
  type DeclaredType,
  declaredBool,
  declaredDyn,
  declaredInt,
  declaredList,
  declaredMap,
  declaredObject,
  declaredString,
  simpleDeclared,
} from "../kubernetes/declared-type.js";
import { objectType, timestampType } from "../types/type.js";

const text = declaredString();
const texts = declaredList(text, 0);
const time = simpleDeclared(timestampType, 22);

/** An object type with fields that all have a name of their own. */
const named = (name: string, fields: Readonly<Record<string, DeclaredType>>): DeclaredType => ({
  ...declaredObject(new Map(Object.entries(fields))),
  type: objectType(name),
});

const kindType = named("kubernetes.GroupVersionKind", { group: text, version: text, kind: text });
const resourceType = named("kubernetes.GroupVersionResource", { group: text, version: text, resource: text });

/** The variable `request`: an AdmissionRequest without the objects, which are variables themselves. */
export const requestType: DeclaredType = named("kubernetes.AdmissionRequest", {
  kind: kindType,
  resource: resourceType,
  subResource: text,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: named("kubernetes.UserInfo", {
    username: text,
    uid: text,
    groups: texts,
    extra: declaredMap(texts, 0),
  }),
  dryRun: declaredBool,
  options: declaredDyn,
});

/** The variable `namespaceObject`. */
export const namespaceType: DeclaredType = named("kubernetes.Namespace", {
  metadata: named("kubernetes.NamespaceMetadata", {
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
  spec: named("kubernetes.NamespaceSpec", { finalizers: texts }),
  status: named("kubernetes.NamespaceStatus", {
    conditions: declaredList(
      named("kubernetes.NamespaceCondition", {
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
