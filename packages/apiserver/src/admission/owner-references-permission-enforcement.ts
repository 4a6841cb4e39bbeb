import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject, OwnerReference } from "@coxswain/apimachinery/meta";
import type { Attributes, Authorizer, Decision } from "../authorization/attributes.js";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.js";
import { forbid } from "./forbid.js";

/** A resource, by the version and kind that owner references name. */
export type ResourceOfKind = (
  apiVersion: string,
  kind: string,
) =>
  | { readonly group: string; readonly version: string; readonly resource: string; readonly namespaced: boolean }
  | undefined;

export interface OwnerReferencesDeps {
  readonly authorizer: Authorizer;
  readonly resourceOf: ResourceOfKind;
}

/** Owners decide what is deleted and when: a user who names one needs the permissions for what that leads to. */
export function createOwnerReferencesPermissionEnforcement({
  authorizer,
  resourceOf,
}: OwnerReferencesDeps): AdmissionPlugin {
  async function checkBlocking(attributes: AdmissionAttributes): Promise<void> {
    const blocking = newlyBlocking(attributes.object, attributes.old);
    if (blocking.length === 0) return;
    // Who may finalize anything need not be asked about each.
    const { decision } = await authorizer(
      asks(attributes, {
        group: "*",
        version: "*",
        resource: "*",
        subresource: "finalizers",
        name: "*",
        namespace: "",
      }),
    );
    if (decision === "allow") return;
    for (const { apiVersion, kind, name } of blocking) {
      const found = resourceOf(apiVersion, kind);
      const [version = "", group = ""] = apiVersion.split("/").reverse();
      if (!found)
        throw forbid(
          attributes,
          `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${group === "" ? version : `${group}/${version}`}"`,
        );
      const answer = await authorizer(
        asks(attributes, {
          ...found,
          subresource: "finalizers",
          name,
          namespace: found.namespaced ? attributes.namespace : "",
        }),
      );
      if (answer.decision !== "allow")
        throw forbid(
          attributes,
          `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${show(answer)}`,
        );
    }
  }

  return {
    name: "OwnerReferencesPermissionEnforcement",
    operations: ["CREATE", "UPDATE"],
    async validate(attributes) {
      const { kind, subresource, object, old, namespace, name } = attributes;
      // Old kubelets lose owners there, and the kind's own rules put them back.
      if (kind.group === "" && kind.resource === "pods" && subresource === "status") return;
      if (equalJson(ownersOf(object), ownersOf(old))) return;
      if (attributes.operation !== "CREATE") {
        const answer = await authorizer(
          asks(attributes, {
            verb: "delete",
            group: kind.group,
            version: kind.version,
            resource: kind.resource,
            subresource,
            namespace,
            name,
          }),
        );
        if (answer.decision !== "allow")
          throw forbid(attributes, `cannot set an ownerRef on a resource you can't delete: ${show(answer)}`);
      }
      await checkBlocking(attributes);
    },
  };
}

const asks = (
  { user }: AdmissionAttributes,
  {
    verb = "update",
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
  }: Omit<Attributes, "user" | "isResource" | "path" | "verb"> & { readonly verb?: string },
): Attributes => ({ user, verb, isResource: true, path: "", namespace, group, version, resource, subresource, name });

const show = ({ reason, error }: Decision): string => `${reason}, ${error ?? "<nil>"}`;

const ownersOf = (object: KubernetesObject | undefined): readonly OwnerReference[] =>
  object?.metadata.ownerReferences ?? [];

function newlyBlocking(object: KubernetesObject | undefined, old: KubernetesObject | undefined): OwnerReference[] {
  const before = new Map(ownersOf(old).map(({ uid, blockOwnerDeletion }) => [uid, blockOwnerDeletion]));
  return ownersOf(object).filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion && !before.get(uid));
}
