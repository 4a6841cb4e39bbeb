import type { DeepReadonly } from "@coxswain/api";
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  ResourceClaim,
  ResourceClaimStatus,
} from "@coxswain/api/resource/v1";
import { type FieldError, fieldPath, forbidden } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Attributes, Authorizer } from "../../authorization/attributes.js";
import { forbiddenError } from "../../authorization/forbidden-error.js";
import type { WriteAuthorization } from "../../objects/write-authorization.js";
import type { WriteScope } from "../../objects/write-scope.js";
import type { UserInfo } from "../../request/user-info.js";

const group = "resource.k8s.io";
const path = fieldPath("status");
type Status = DeepReadonly<ResourceClaimStatus>;

/**
 * A user that may write the status of a ResourceClaim may not write all of it: to allocate and reserve is for who may write `binding` of all
 * claims, and to write a device's status for users that may write `driver` by the name of its driver, on the node of the claim or on any.
 */
export function createClaimStatusGuard(
  authorizer: Authorizer,
  gates: { enabled(gate: string): boolean },
): WriteAuthorization {
  return {
    async authorizeView({ object, old, scope }) {
      if (scope.view !== "status" || !gates.enabled("DRAResourceClaimGranularStatusAuthorization")) return [];
      const [now, before] = [statusOf(object), statusOf(old)];
      const aboutDevices = gates.enabled("DRAResourceClaimDeviceStatus") && now.allocation !== undefined;
      return [
        ...(await bindingProblems(authorizer, scope, now, before)),
        ...(aboutDevices ? await deviceProblems(authorizer, scope, now, before) : []),
      ];
    },
  };
}

const statusOf = (claim: KubernetesObject): Status =>
  (claim as KubernetesObject & Pick<ResourceClaim, "status">).status ?? {};

async function bindingProblems(
  authorizer: Authorizer,
  scope: WriteScope,
  now: Status,
  before: Status,
): Promise<FieldError[]> {
  if (equalJson(now.allocation, before.allocation) && equalJson(now.reservedFor ?? [], before.reservedFor ?? []))
    return [];
  const refusal = await refusalOf(authorizer, {
    ...attributesOf(scope),
    subresource: "binding",
    namespace: "",
    name: "",
  });
  return refusal === undefined
    ? []
    : [
        forbidden(
          path.child("allocation"),
          `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${scope.verb}" permission: ${refusal}`,
        ),
      ];
}

async function deviceProblems(
  authorizer: Authorizer,
  scope: WriteScope,
  now: Status,
  before: Status,
): Promise<FieldError[]> {
  const near = standsOnNode(scope.user, nodeOf(now.allocation));
  const verbs = [...(near ? ["associated-node:"] : []), "arbitrary-node:"].map((prefix) => prefix + scope.verb);
  const problems: FieldError[] = [];
  for (const driver of changedDrivers(now.devices ?? [], before.devices ?? [])) {
    const refusal = await firstRefusal(
      authorizer,
      verbs.map((verb) => ({ ...attributesOf(scope), verb, subresource: "driver", name: driver })),
    );
    if (refusal !== undefined)
      problems.push(
        forbidden(
          path.child("devices"),
          `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(" ")}]" permission: ${refusal}`,
        ),
      );
  }
  return problems;
}

const attributesOf = ({
  user,
  verb,
  namespace,
  version,
  kind,
}: WriteScope): Omit<Attributes, "subresource" | "name"> => ({
  user,
  verb,
  isResource: true,
  path: "",
  group,
  version: (version ?? kind).version,
  resource: "resourceclaims",
  namespace,
});

/** Undefined: at least one is allowed. */
async function firstRefusal(authorizer: Authorizer, asked: readonly Attributes[]): Promise<string | undefined> {
  let first: string | undefined;
  for (const attributes of asked) {
    const refusal = await refusalOf(authorizer, attributes);
    if (refusal === undefined) return undefined;
    first ??= refusal;
  }
  return first;
}

async function refusalOf(authorizer: Authorizer, attributes: Attributes): Promise<string | undefined> {
  const { decision, reason, error } = await authorizer(attributes);
  if (decision === "allow") return undefined;
  return forbiddenError(attributes, [error, reason].filter(Boolean).join(": ")).message;
}

const deviceKey = ({ driver, pool, device, shareID = "" }: DeepReadonly<AllocatedDeviceStatus>): string =>
  JSON.stringify([driver, pool, device, shareID]);

/** Drivers whose device status was added, changed or removed, sorted. */
function changedDrivers(
  now: readonly DeepReadonly<AllocatedDeviceStatus>[],
  before: readonly DeepReadonly<AllocatedDeviceStatus>[],
): string[] {
  const left = new Map(before.map((device) => [deviceKey(device), device]));
  const drivers = new Set<string>();
  for (const device of now) {
    const key = deviceKey(device);
    if (!equalJson(left.get(key), device)) drivers.add(device.driver ?? "");
    left.delete(key);
  }
  for (const { driver = "" } of left.values()) drivers.add(driver);
  return [...drivers].sort();
}

/** The node for which the devices were chosen; "" where that is not exactly one. */
function nodeOf(allocation: DeepReadonly<AllocationResult> | undefined): string {
  const [term, ...more] = allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...others] = term?.matchFields ?? [];
  if (more.length > 0 || others.length > 0 || (term?.matchExpressions ?? []).length > 0) return "";
  return field?.key === "metadata.name" && field.operator === "In" && field.values?.length === 1
    ? (field.values[0] ?? "")
    : "";
}

/** Whether a service account's token names this node as the one its pod runs on. */
function standsOnNode({ name, extra }: UserInfo, node: string): boolean {
  const names = getOwn(extra, "authentication.kubernetes.io/node-name") ?? [];
  return node !== "" && /^system:serviceaccount:[^:]+:[^:]+$/.test(name) && names.length === 1 && names[0] === node;
}
