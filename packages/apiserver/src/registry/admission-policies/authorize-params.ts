import type { DeepReadonly } from "@coxswain/api";
import type { ParamKind, ParamRef } from "@coxswain/api/admissionregistration/v1";
import { type FieldError, fieldPath, forbidden } from "@coxswain/apimachinery/field";
import { type KubernetesObject, parseGroupVersion } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Authorizer } from "../../authorization/attributes.js";
import type { StateToAuthorize, WriteAuthorization } from "../../objects/write-authorization.js";
import type { UserInfo } from "../../request/user-info.js";

/**
 * Who writes an admission policy reads through its parameters: the policy's messages and patches may quote them. So the writer of a policy
 * must be allowed to read every object of its `paramKind`, the writer of a binding the objects of its `paramRef`. As upstream, in
 * pkg/registry/admissionregistration/*\/authz.go, called by the strategies when the object is valid otherwise.
 */
export interface ParamDeps {
  readonly authorizer: Authorizer;
  /** The kinds that are served now, each in each of its versions. */
  kinds(): Iterable<Pick<AnyKind, "group" | "version" | "kind" | "resource">>;
}

interface Policy extends KubernetesObject {
  readonly spec?: { readonly paramKind?: DeepReadonly<ParamKind> };
}

interface Binding extends KubernetesObject {
  readonly spec?: { readonly policyName?: string; readonly paramRef?: DeepReadonly<ParamRef> };
}

export interface BindingDeps extends ParamDeps {
  /** The policy of that name, of the binding's sort. */
  policyOf(name: string): Policy | undefined;
  /** Upstream's MutatingAdmissionPolicyBinding exchanges user and verb in one message. */
  readonly sort: "validating" | "mutating";
}

/** For ValidatingAdmissionPolicy and MutatingAdmissionPolicy. */
export const createParamKindCheck = (deps: ParamDeps): WriteAuthorization =>
  unlessMaster(async ({ object, old, scope }) => {
    const { paramKind } = (object as Policy).spec ?? {};
    const before = (old as Policy | undefined)?.spec?.paramKind;
    if (!paramKind || (before?.apiVersion === paramKind.apiVersion && before?.kind === paramKind.kind)) return [];
    const problem = await paramKindProblem(deps, paramKind, scope.user);
    return problem === undefined ? [] : [forbidden(fieldPath("spec", "paramKind"), problem)];
  });

/** For ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding. */
export const createParamRefCheck = (deps: BindingDeps): WriteAuthorization =>
  unlessMaster(async ({ object, old, scope }) => {
    const { spec } = object as Binding;
    if (!spec?.paramRef || isSameReference(spec, (old as Binding | undefined)?.spec)) return [];
    const problem = await paramRefProblem(deps, spec.policyName ?? "", spec.paramRef, scope.user);
    return problem === undefined ? [] : [forbidden(fieldPath("spec", "paramRef"), problem)];
  });

const unlessMaster = (check: (state: StateToAuthorize) => Promise<FieldError[]>): WriteAuthorization => ({
  authorizeValid: async (state) => (state.scope.user.groups.includes("system:masters") ? [] : check(state)),
});

/**
 * Upstream compares the structs, and so the addresses of the selector and of parameterNotFoundAction: a reference with either is
 * never the same. Valid bindings have the latter, so that every update of theirs is authorized.
 */
function isSameReference(now: NonNullable<Binding["spec"]>, before: Binding["spec"]): boolean {
  const [a, b] = [now.paramRef, before?.paramRef];
  if (!a || !b || [a, b].some((ref) => ref.selector !== undefined || ref.parameterNotFoundAction !== undefined))
    return false;
  return (
    (a.name ?? "") === (b.name ?? "") &&
    (a.namespace ?? "") === (b.namespace ?? "") &&
    now.policyName === before?.policyName
  );
}

/** What may have to be read. "*" stands for what is not known: then everything must be allowed. */
interface ParamResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const anything: ParamResource = { group: "*", version: "*", resource: "*" };

function resourceOf(deps: ParamDeps, { apiVersion = "", kind = "" }: DeepReadonly<ParamKind>): ParamResource {
  const parsed = parseGroupVersion(apiVersion);
  if (!parsed) return anything;
  const { group, version } = parsed;
  for (const served of deps.kinds())
    if (served.kind === kind && served.group === group && served.version === version)
      return { group, version, resource: served.resource };
  return { group, version, resource: "*" };
}

async function paramKindProblem(
  deps: ParamDeps,
  paramKind: DeepReadonly<ParamKind>,
  user: UserInfo,
): Promise<string | undefined> {
  const asked = { verb: "get", name: "*", namespace: "*", ...resourceOf(deps, paramKind) };
  const { decision, error } = await mayRead(deps, user, asked);
  if (error !== undefined) return error;
  if (decision === "allow") return undefined;
  const { kind = "", apiVersion = "" } = paramKind;
  return `user ${textOf(user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
}

async function paramRefProblem(
  deps: BindingDeps,
  policyName: string,
  { name = "", namespace = "" }: DeepReadonly<ParamRef>,
  user: UserInfo,
): Promise<string | undefined> {
  const policy = deps.policyOf(policyName);
  const paramKind = policy?.spec?.paramKind;
  const found = paramKind ? resourceOf(deps, paramKind) : anything;
  const verb = name === "" ? "list" : "get";
  // An empty namespace: in all of them.
  const { decision, error } = await mayRead(deps, user, { verb, name, namespace, ...found });
  if (error !== undefined) return deps.sort === "validating" ? `failed to authorize request: ${error}` : error;
  if (decision === "allow") return undefined;
  const least = `to determine minimum required permissions and user ${textOf(user)} does not have "${verb}" permission for all groups, versions and resources`;
  if (!policy) return `unable to get policy ${policyName} ${least}`;
  const kindText = `&{${paramKind?.apiVersion ?? ""} ${paramKind?.kind ?? ""}}`;
  if (paramKind && found === anything) return `unable to parse paramKind ${kindText} ${least}`;
  if (paramKind && found.resource === "*") return `unable to resolve paramKind ${kindText} ${least}`;
  const [who, what] = deps.sort === "validating" ? [textOf(user), verb] : [verb, textOf(user)];
  return `user ${who} does not have "${what}" permission on the object referenced by paramRef`;
}

const mayRead = (
  { authorizer }: ParamDeps,
  user: UserInfo,
  asked: ParamResource & { readonly verb: string; readonly name: string; readonly namespace: string },
) => authorizer({ ...asked, user, isResource: true, path: "", subresource: "" });

/** A user as Go's %v writes one: a pointer to a struct of name, UID, groups and extra. */
function textOf({ name, uid = "", groups, extra = {} }: UserInfo): string {
  const pairs = Object.keys(extra)
    .sort()
    .map((key) => `${key}:[${extra[key]!.join(" ")}]`);
  return `&{${name} ${uid} [${groups.join(" ")}] map[${pairs.join(" ")}]}`;
}
