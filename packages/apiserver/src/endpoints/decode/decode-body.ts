import { type Decoded, DecodeError, encodeJson, strictDecodingMessage, walkKnown } from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { negotiateInput } from "@coxswain/apimachinery/negotiation";
import { badRequest } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { attempt, type Soon, whenKnown } from "@coxswain/runtime/soon";
import { runSteps, type Steps } from "@coxswain/runtime/steps";
import { isLarge, microsPerByte } from "../../objects/large-object.js";
import type { RequestContext } from "../../request/request-context.js";
import type { HandlerDeps } from "../handler-deps.js";
import type { FieldValidation } from "../write-options.js";
import { decodeAs, sentKind } from "./decode-as.js";
import { versionedTypeName } from "./go-type.js";
import { openBody } from "./open-body.js";
import { readBody } from "./read-body.js";
import type { SentBody } from "./sent-body.js";
import { strictWarnings } from "./strict-warnings.js";
import { cannotHandle, unrecognized } from "./undecodable.js";

/** The object a client sent: strict checks as asked for, canonical form, defaults set; a private copy. */
export function decodeBody(
  deps: HandlerDeps,
  context: RequestContext,
  kind: AnyKind,
  validation: FieldValidation,
): Soon<KubernetesObject> {
  const { body } = context.request;
  const known = body.as === "value" ? valueOfKind(body.value, kind) : undefined;
  if (known) return completed(context, kind, known);
  const form = body.as === "value" ? "application/json" : negotiateInput(context.request.header("content-type"));
  if (form === "application/vnd.kubernetes.protobuf" && kind.facts.own) throw noProtobufForm(kind);
  return whenKnown(readBody(deps, context), (bytes) => {
    const opened = attempt(
      () => openBody(form, bytes, context),
      (err) => {
        throw err instanceof DecodeError ? unrecognized(kind, err.message, bytes) : err;
      },
    );
    return whenKnown(
      whenKnown(opened, (sent) => afterBreak(context, bytes, sent)),
      (sent) => {
        if (kind.facts.custom && form === "application/vnd.kubernetes.protobuf") throw withoutKind(sent, kind);
        if (kind.facts.custom) checkSentType(sent, kind, bytes);
        if (kind.facts.custom && sent.kind !== kind.kind) return ofAnotherKind(context, kind, sent);
        return whenKnown(runSteps(context.scheduler, decode(sent, kind, bytes, validation), context), (decoded) => {
          const { object, warnings } = decoded;
          (object as { metadata?: object }).metadata ??= {}; // a custom resource may be sent without
          // One by one: as arguments of one call, a hundred thousand overflow the stack.
          for (const warning of strictWarnings(warnings)) context.warnings.push(warning);
          return completed(context, kind, object as KubernetesObject);
        });
      },
    );
  });
}

/** As upstream refuses a type without one (apimachinery, pkg/runtime/serializer/protobuf): decoded by no message, the object would be empty. */
const noProtobufForm = (kind: AnyKind) =>
  badRequest(
    `object *${versionedTypeName(kind, kind.kind)} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`,
  );

/**
 * Custom resources, too, have no message, and decoded by none they would be empty: a PUT would empty what is stored. As recorded;
 * kube-apiserver reads the body into an object without a kind, and panics where field validation is not `Ignore`.
 */
const withoutKind = (sent: SentBody, kind: AnyKind) =>
  cannotHandle(sentKind(sent, kind) ?? kind, kind, "Object 'Kind' is missing in 'object has no kind field '");

/** Parsing and decoding are two steps. */
const afterBreak = <T>({ scheduler }: RequestContext, { length }: Uint8Array, value: T): Soon<T> =>
  isLarge(length) ? whenKnown(scheduler.yield(length * microsPerByte), () => value) : value;

/** Upstream reads custom resources without filling in kind and version from the path. */
function checkSentType({ kind: name, apiVersion }: SentBody, kind: AnyKind, bytes: Uint8Array): void {
  if (name === "") throw unrecognized(kind, `Object 'Kind' is missing in '${new TextDecoder().decode(bytes)}'`, bytes);
  const wanted = formatGroupVersion(kind);
  if (apiVersion !== wanted)
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`);
}

/**
 * Upstream reads a custom resource of another kind of the group as it is, without pruning and defaults; its validation refuses it, after all
 * that comes before (apiextensions-apiserver, pkg/registry/customresource/validator.go, ValidateTypeMeta).
 */
async function ofAnotherKind(context: RequestContext, kind: AnyKind, sent: SentBody): Promise<KubernetesObject> {
  const decoded = await runSteps(context.scheduler, sent.decode(kind.bodySchema ?? kind.schema, {}), context);
  const object = decoded.object as KubernetesObject;
  (object as { metadata?: object }).metadata ??= {};
  Object.assign(object, { kind: sent.kind, apiVersion: sent.apiVersion });
  context.audit?.request(object, () => new TextDecoder().decode(encodeJson(object, kind.schema)));
  return object;
}

/** A value from the same process that is of the kind and fits its type. Of any other, the text is decoded: the decoder reports what is wrong with it. */
function valueOfKind(value: unknown, kind: AnyKind): KubernetesObject | undefined {
  const { kind: name = kind.kind, apiVersion = formatGroupVersion(kind) } = (value ?? {}) as Partial<KubernetesObject>;
  if (name !== kind.kind || apiVersion !== formatGroupVersion(kind)) return undefined;
  const object = walkKnown(value, kind.bodySchema ?? kind.schema) as KubernetesObject | undefined;
  if (!object) return undefined;
  (object as { metadata?: object }).metadata ??= {}; // a custom resource may be sent without
  return isNormal(kind, object) ? object : undefined;
}

/** Whether a custom resource has no unknown members, and metadata that fits: its body's type leaves that open. */
function isNormal(kind: AnyKind, object: KubernetesObject): boolean {
  try {
    return (kind.normalizeSent?.(object) ?? []).length === 0;
  } catch (err) {
    if (err instanceof DecodeError) return false;
    throw err;
  }
}

/** With its defaults; what was sent is noted for the audit log. */
function completed(context: RequestContext, kind: AnyKind, object: KubernetesObject): KubernetesObject {
  object.kind = kind.kind;
  object.apiVersion = formatGroupVersion(kind);
  kind.setDefaults?.(object);
  context.audit?.request(object, () =>
    new TextDecoder().decode(encodeJson({ kind: object.kind, apiVersion: object.apiVersion, ...object }, kind.schema)),
  ); // what it is comes first
  return object;
}

function* decode(body: SentBody, kind: AnyKind, bytes: Uint8Array, validation: FieldValidation): Steps<Decoded> {
  const sent = sentKind(body, kind);
  try {
    const decoded = yield* decodeAs(body, kind, { strict: validation !== "Ignore" });
    if (decoded.warnings.length > 0 && validation === "Strict")
      throw new DecodeError(strictDecodingMessage(decoded.warnings));
    return decoded;
  } catch (err) {
    if (!(err instanceof DecodeError)) throw err;
    yield* checkHead(body, kind, bytes);
    throw sent ? cannotHandle(sent, kind, err.message) : unrecognized(kind, err.message, bytes);
  }
}

/** What cannot be read as an object at all is reported before anything else. */
function* checkHead(body: SentBody, kind: AnyKind, bytes: Uint8Array): Steps<void> {
  try {
    yield* body.checkHead();
  } catch (err) {
    throw err instanceof DecodeError ? unrecognized(kind, err.message, bytes) : err;
  }
}
