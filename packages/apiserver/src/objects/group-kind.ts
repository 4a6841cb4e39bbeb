import type { GroupKind, KubernetesObject } from "@coxswain/apimachinery/meta";
import type { WriteScope } from "./write-scope.js";

/** The kind that errors name. Of a custom resource it is the kind that the object names, which may be why it is refused (objectMetaAndKind upstream). */
export const groupKindOf = ({ kind }: WriteScope, object: KubernetesObject): GroupKind => ({
  group: kind.group,
  kind: (kind.facts.custom && object.kind) || kind.kind,
});
