import { quoteGo } from "@coxswain/apimachinery/field";
import { type Decoded, DecodeError, type DecodeOptions } from "@coxswain/apimachinery/json";
import {
  formatGroupVersion,
  type GroupVersionKind,
  groupVersionError,
  type KubernetesObject,
  parseGroupVersion,
} from "@coxswain/apimachinery/meta";
import { badRequest } from "@coxswain/apimachinery/status";
import { type AnyKind, numberProblem } from "@coxswain/kinds/definition";
import type { Steps } from "@coxswain/runtime/steps";
import { internalTypeName, versionedTypeName } from "./go-type.js";
import { notRegistered, registeredType } from "./registered-kinds.js";
import type { SentBody } from "./sent-body.js";

/** The kind that a body names, what it leaves out taken from the path; undefined: its apiVersion has too many slashes. */
export function sentKind(body: SentBody, wanted: AnyKind): GroupVersionKind | undefined {
  const sentVersion = parseGroupVersion(body.apiVersion);
  if (!sentVersion) return undefined;
  const kind = body.kind || wanted.kind;
  if (sentVersion.version !== "" || (sentVersion.group !== "" && sentVersion.group !== wanted.group))
    return { group: sentVersion.group, version: sentVersion.version, kind };
  return { group: wanted.group, version: wanted.version, kind };
}

/** A kind whose bodies may be of other versions that have the same shape: upstream takes evictions of policy/v1beta1. */
export interface ReadKind extends AnyKind {
  readonly alsoRead?: readonly string[];
}

/** The body as an object of the kind. Throws DecodeError, also where it is of another kind: errors as the kind that it names come first. */
export function* decodeAs(body: SentBody, wanted: ReadKind, options: DecodeOptions): Steps<Decoded> {
  const sent = sentKind(body, wanted);
  if (!sent) throw new DecodeError(groupVersionError(body.apiVersion));
  if (sent.version === "")
    throw new DecodeError(`Object 'apiVersion' is missing in '${new TextDecoder().decode(body.bytes)}'`);
  const sameKind = sent.kind === wanted.kind && sent.group === wanted.group;
  if (sameKind && (sent.version === wanted.version || wanted.alsoRead?.includes(sent.version)))
    return readable(
      normalized(yield* body.decode(wanted.bodySchema ?? wanted.schema, options), wanted, options),
      wanted,
    );
  const type = registeredType(sent, wanted.group);
  if (!type) throw new DecodeError(notRegistered(sent));
  yield* body.decode(type, {});
  if (!sameKind)
    throw new DecodeError(
      `converting (${versionedTypeName(sent, sent.kind)}) to (${internalTypeName(wanted, wanted.kind)}): unknown conversion`,
    );
  throw badRequest(
    `the API version in the data (${formatGroupVersion(sent)}) does not match the expected API version (${formatGroupVersion(wanted)})`,
  );
}

/** Custom resources are pruned once they are read; strict decoding reports what was. */
export function normalized(decoded: Decoded, { normalizeSent }: AnyKind, { strict = false }: DecodeOptions): Decoded {
  const dropped = normalizeSent?.(decoded.object as KubernetesObject) ?? [];
  if (dropped.length === 0 || !strict) return decoded;
  return { ...decoded, warnings: [...decoded.warnings, ...dropped.map((path) => `unknown field ${quoteGo(path)}`)] };
}

function readable(decoded: Decoded, { numberAnnotation }: AnyKind): Decoded {
  const problem = numberAnnotation && numberProblem(numberAnnotation, (decoded.object as KubernetesObject).metadata);
  if (problem !== undefined) throw new DecodeError(problem);
  return decoded;
}
