import { DecodeError, walk, withJsonNumbers } from "@coxswain/apimachinery/json";
import {
  type ApplyRequest,
  applyServerSide,
  applyServerSideInSteps,
  type VersionOptions,
} from "@coxswain/apimachinery/managed-fields";
import { formatGroupVersionKind, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest, conflict, StatusError } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import type { AnyKind } from "@coxswain/kinds";
import { runSteps } from "@coxswain/runtime/steps";
import { mayCreate } from "../authorization/may-create.js";
import { resourceOf } from "../catalogue/resource-of.js";
import { isLarge, microsPerByte } from "../objects/large-object.js";
import { entriesOf, withEntries, withoutEntries, withVersions } from "../objects/managed-fields.js";
import { matchNamespace } from "../objects/metadata.js";
import { updateObject } from "../objects/update.js";
import type { Answer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import { strictWarnings } from "./decode/strict-warnings.js";
import type { HandlerDeps } from "./handler-deps.js";
import { afterUpdate } from "./initialization.js";
import type { Target } from "./target.js";
import { checkName } from "./update.js";
import type { WriteOptions } from "./write-options.js";
import { writeScope } from "./write-scope.js";

/** Server-side apply: makes the object if there is none, else merges by who owns what. */
export async function handleApply(
  deps: HandlerDeps,
  context: RequestContext,
  target: Target,
  { bytes, options }: { bytes: Uint8Array; options: WriteOptions },
): Promise<Answer> {
  const { kind, version } = target;
  const requested = version ?? kind;
  const scope = writeScope(context, target, options);
  const isCustomScale = target.projection?.stored.facts.custom !== undefined;
  const written = await updateObject(deps, scope, {
    forceCreate: true,
    fieldsTracked: true,
    mayCreate: mayCreate(deps.authorizer, context),
    async next(current, largerBytes) {
      const applied = await parsed(bytes, context);
      if (isLarge(bytes.length)) await context.scheduler.yield(bytes.length * microsPerByte);
      const time = formatTime(deps.runtime.clock.now());
      const live = current && withoutEntries(version ? version.fromHub(current) : current);
      const requestOf = (versions: Required<VersionOptions>): ApplyRequest => ({
        ...versions,
        live,
        applied: applied.value,
        kind: kind.kind,
        manager: options.fieldManager,
        force: options.force,
        subresource: target.view,
        time,
        entries: entriesOf(current),
        ...(isCustomScale && {
          refuseUnmanaged: `failed to convert live object (/; ${scaleType}) to proper version: ${notConvertible}`,
        }),
      });
      const engine = {
        atOnce: (versions: Required<VersionOptions>) => applyServerSide(requestOf(versions)),
        inSteps: (versions: Required<VersionOptions>) => applyServerSideInSteps(requestOf(versions)),
      };
      const { object, entries } = await withVersions(deps, scope, engine, largerBytes);
      if (isLarge(bytes.length)) await context.scheduler.yield(bytes.length * microsPerByte);
      if (applied.strictError !== undefined && options.fieldValidation === "Strict")
        throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${applied.strictError}`);
      if (applied.strictError !== undefined && options.fieldValidation === "Warn")
        for (const warning of strictWarnings([applied.strictError])) context.warnings.push(warning);
      if (isCustomScale && current && object !== live)
        throw new StatusError({
          code: 500,
          reason: "",
          message: `failed to convert new object (${namedIn(applied.value)}; ${scaleType}) to proper version: ${notConvertible}`,
        });
      const inVersion = typed(object, applied.value, requested);
      // What stays as it is gets no defaults: an object converted from the stored version may lack those of this one.
      if (object !== live) requested.setDefaults?.(inVersion);
      const next = version ? version.toHub(inVersion) : inVersion;
      if (!current && next.metadata.uid)
        throw conflict(
          resourceOf(requested),
          target.name,
          `uid mismatch: the provided object specified uid ${next.metadata.uid}, and no existing object was found`,
        );
      matchNamespace(next.metadata, kind.namespaced ? target.namespace : "");
      checkName(next, target);
      return withEntries(next, entries);
    },
  });
  return afterUpdate(deps, context, target, options, {
    as: "object",
    code: written.done === "created" ? 201 : 200,
    kind,
    object: written.object,
  });
}

/**
 * Upstream converts the Scale of a custom resource as if it were the resource, which fails wherever the Scale is not typed: the empty
 * object that a first apply is compared with, and the result (apiextensions-apiserver, pkg/apiserver/conversion, crConverter.ConvertToVersion).
 */
const notConvertible = "request to convert CR to an invalid group/version: autoscaling/v1";
const scaleType = "autoscaling/v1, Kind=Scale";

async function parsed(bytes: Uint8Array, context: RequestContext) {
  const { parseYamlInSteps } = await import("@coxswain/apimachinery/yaml");
  try {
    const parsedYaml = await runSteps(context.scheduler, parseYamlInSteps(bytes), context);
    const wrong = Array.isArray(parsedYaml.value) ? "array" : goTypeNames[typeof parsedYaml.value];
    if (wrong !== undefined)
      throw badRequest(
        `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${wrong} into Go value of type map[string]interface {}`,
      );
    return { ...parsedYaml, value: withJsonNumbers(parsedYaml.value) };
  } catch (err) {
    if (err instanceof DecodeError)
      throw badRequest(`error decoding YAML: error converting YAML to JSON: ${err.message}`, { cause: err });
    throw err;
  }
}

/** What Go calls values that are no objects. */
const goTypeNames: Readonly<Record<string, string>> = {
  number: "number",
  bigint: "number",
  string: "string",
  boolean: "bool",
};

/** What was applied is in the merged object as it was written; here it gets its canonical form. */
function typed(object: Readonly<Record<string, unknown>>, applied: unknown, kind: AnyKind): KubernetesObject {
  try {
    const merged = walk(object, kind.schema) as KubernetesObject;
    kind.normalizeSent?.(merged, { keepsNulls: true });
    return merged;
  } catch (err) {
    if (!(err instanceof DecodeError)) throw err;
    const type = formatGroupVersionKind(kind);
    const message = `failed to convert new object (${namedIn(applied)}; ${type}) to proper version: unable to convert unstructured object to ${type}: ${err.message}`;
    throw new StatusError({ code: 500, reason: "", message }, { cause: err });
  }
}

function namedIn(applied: unknown): string {
  const { namespace = "", name = "" } = (applied as Partial<KubernetesObject>).metadata ?? {};
  return `${namespace}/${name}`;
}
