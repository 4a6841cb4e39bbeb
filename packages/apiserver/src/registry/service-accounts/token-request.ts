import type { TokenRequest } from "@coxswain/api/authentication/v1";
import type { Pod } from "@coxswain/api/core/v1";
import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { encodeJson, walk } from "@coxswain/apimachinery/json";
import { formatGroupVersionKind, type KubernetesObject, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { badRequest, conflict, internalError, invalid, notFound } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import { randomUuid } from "@coxswain/runtime/random";
import { accountName, type ServiceAccountClaims } from "../../authentication/service-account-claims.js";
import type { ServiceAccountTokens } from "../../authentication/service-account-tokens.js";
import { encodedObject } from "../../cache/encoded-object.js";
import { decodePosted } from "../../endpoints/decode/decode-posted.js";
import { checkKeyName } from "../../endpoints/path-name.js";
import { waitForLatest } from "../../endpoints/resource-version.js";
import { readWriteOptions } from "../../endpoints/write-options.js";
import { writeScope } from "../../endpoints/write-scope.js";
import { attributesOf } from "../../objects/admission-attributes.js";
import { trackManagedFields } from "../../objects/managed-fields.js";
import { bodyKind } from "../contract/body-kind.js";
import type { RegistryDeps, RegistryHandler } from "../contract/registry-deps.js";
import { objectFinder } from "./object-finder.js";

const tokenRequestKind = bodyKind(
  "authentication.k8s.io",
  "v1",
  "TokenRequest",
  "io.k8s.api.authentication.v1.TokenRequest",
  {
    views: { token: { resetFields: [] } },
    setDefaults: (request) => void ((request as Request).spec.expirationSeconds ??= 3600),
  },
);
const groupKind = { group: "authentication.k8s.io", kind: "TokenRequest" };
const minSeconds = 600;
const maxSeconds = 2 ** 32;
/** What kubelets ask for. They renew such tokens; programs that read theirs once get longer before it ends. */
const renewedSeconds = 3607;

type Request = TokenRequest & KubernetesObject & { spec: NonNullable<TokenRequest["spec"]> };
type Bound = Pick<ServiceAccountClaims["kubernetes.io"], "pod" | "secret" | "node">;

/** A token for a service account, bound to an object where one is named, and to an end. */
export const handleTokenRequest: RegistryHandler = async (deps, context, target) => {
  const { tokens } = deps;
  const options = readWriteOptions(context, "CreateOptions");
  const { name, namespace } = target;
  const request = (await decodePosted(deps, context, {
    kind: tokenRequestKind,
    namespace,
    validation: options.fieldValidation,
    speaksOfAnother: true,
  })) as Request;
  const scope = writeScope(context, { ...target, kind: tokenRequestKind, view: "token" }, options);
  const attributes = attributesOf(scope, {
    operation: "CREATE",
    object: await trackManagedFields({ deps, scope, live: undefined, next: request }),
    kind: target.kind,
  });
  await deps.admission.admit(attributes);
  const tracked = attributes.object as Request;
  if (tracked.metadata.name && tracked.metadata.name !== name) {
    throw invalid(groupKind, name, [
      invalidField(
        fieldPath("metadata", "name"),
        tracked.metadata.name,
        "must match the service account name if specified",
      ),
    ]);
  }
  await waitForLatest(deps, context);
  const account = find(deps, "serviceaccounts", namespace, name);
  checkUid(tracked, name, account);
  const now = deps.runtime.clock.now();
  Object.assign(tracked.metadata, { name, namespace, uid: account.metadata.uid, creationTimestamp: formatTime(now) });
  const { spec } = tracked;
  const audiences = (spec.audiences?.length ?? 0) === 0 ? [...tokens.audiences] : (spec.audiences ?? []);
  spec.audiences = audiences;
  checkExpiry(spec.expirationSeconds ?? 0);
  await deps.admission.validate(attributes);

  const bound = bind(deps, tracked, namespace, name);
  const { maxExpirationSeconds: most } = tokens;
  if (most !== undefined && (spec.expirationSeconds ?? 0) > most) {
    context.warnings.push(
      `requested expiration of ${spec.expirationSeconds ?? 0} seconds shortened to ${most} seconds`,
    );
    spec.expirationSeconds = most;
  }
  const extended =
    tokens.extendExpiration &&
    bound.pod !== undefined &&
    spec.expirationSeconds === renewedSeconds &&
    audiences.every((audience) => tokens.audiences.includes(audience));
  const seconds = Math.floor(now / 1000);
  const jti = randomUuid(deps.runtime.random);
  const token = await issue(tokens, {
    sub: accountName(namespace, name),
    aud: audiences,
    iat: seconds,
    nbf: seconds,
    exp: seconds + (extended ? tokens.extendedSeconds : (spec.expirationSeconds ?? 0)),
    jti,
    "kubernetes.io": {
      namespace,
      ...bound,
      serviceaccount: { name, uid: account.metadata.uid ?? "" },
      ...(extended ? { warnafter: seconds + renewedSeconds } : {}),
    },
  });
  context.annotate("authentication.kubernetes.io/issued-credential-id", `JTI=${jti}`);
  const status = { token, expirationTimestamp: formatTime(now + (spec.expirationSeconds ?? 0) * 1000) };
  const object = walk({ ...tracked, status }, tokenRequestKind.schema);
  return {
    as: "object",
    code: 201,
    kind: tokenRequestKind,
    object: encodedObject(encodeJson(object, tokenRequestKind.schema)),
  };
};

async function issue(tokens: ServiceAccountTokens, claims: Omit<ServiceAccountClaims, "iss">): Promise<string> {
  try {
    return await tokens.issue(claims);
  } catch (err) {
    throw internalError(`failed to generate token: ${(err as Error).message}`, { cause: err });
  }
}

function checkUid({ metadata }: Request, name: string, account: KubernetesObject): void {
  if (!metadata.uid || metadata.uid === account.metadata.uid) return;
  throw conflict(
    { group: groupKind.group, resource: groupKind.kind },
    name,
    `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${account.metadata.uid ?? ""})`,
  );
}

function checkExpiry(seconds: number): void {
  const refuse = (why: string): never => {
    throw invalid(groupKind, "", [invalidField(fieldPath("spec", "expirationSeconds"), seconds, why)]);
  };
  if (seconds < minSeconds) refuse("may not specify a duration less than 10 minutes");
  if (seconds > maxSeconds) refuse("may not specify a duration larger than 2^32 seconds");
}

/** The object that the token ends with, as the claims name it. */
function bind(deps: RegistryDeps, { spec }: Request, namespace: string, account: string): Bound {
  const ref = spec.boundObjectRef;
  if (!ref) return {};
  const { group = "", version = "" } = parseGroupVersion(ref.apiVersion ?? "") ?? {};
  const kind = ref.kind ?? "";
  const refName = ref.name ?? "";
  const resource = group === "" ? boundResources.get(kind) : undefined;
  if (!resource)
    throw badRequest(`cannot bind token to object of type ${formatGroupVersionKind({ group, version, kind })}`);
  if (refName === "") throw badRequest("Name parameter required.");
  checkKeyName(refName);
  const object = find(deps, resource, resource === "nodes" ? "" : namespace, refName);
  const pod = resource === "pods" ? (object as Pod) : undefined;
  if (pod && (pod.spec?.serviceAccountName ?? "") !== account)
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  if (ref.uid && ref.uid !== object.metadata.uid) {
    throw conflict(
      { group, resource: kind },
      refName,
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const named = { name: refName, uid: object.metadata.uid ?? "" };
  if (resource === "secrets") return { secret: named };
  if (resource === "nodes") return { node: named };
  return { pod: named, ...nodeOf(deps, pod?.spec?.nodeName) };
}

const boundResources = new Map([
  ["Pod", "pods"],
  ["Node", "nodes"],
  ["Secret", "secrets"],
]);

/** Also of a node that is not there: its name is still useful. */
function nodeOf(deps: RegistryDeps, name: string | undefined): Pick<Bound, "node"> {
  if (!name) return {};
  const uid = lookUp(deps, "nodes", "", name)?.metadata.uid;
  return { node: { name, ...(uid === undefined ? {} : { uid }) } };
}

function find(deps: RegistryDeps, resource: string, namespace: string, name: string): KubernetesObject {
  const object = lookUp(deps, resource, namespace, name);
  if (!object) throw notFound({ group: "", resource }, name);
  return object;
}

const lookUp = (
  { feed }: RegistryDeps,
  resource: string,
  namespace: string,
  name: string,
): KubernetesObject | undefined => objectFinder(feed)(resource, namespace, name);
