import type { ConversionReview } from "@coxswain/api/apiextensions/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import type { ResourceDefinition } from "../resource/index.js";
import type { Handler } from "../serving/index.js";
import { json } from "./admission.js";

/** How one version becomes the hub and back. Metadata is carried over by the library; functions return the rest. */
export interface Spoke<H extends object> {
  readonly definition: ResourceDefinition<object>;
  toHub(object: object): WithoutMetadata<H>;
  fromHub(hub: H): object;
}

export type WithoutMetadata<T> = Omit<T, "metadata" | "apiVersion" | "kind">;

/** One version beside the hub: `spoke(V1alpha1, { toHub: (old) => ({ spec: … }), fromHub: (hub) => ({ spec: … }) })`. */
export const spoke = <H extends object, S extends object>(
  definition: ResourceDefinition<S>,
  functions: { toHub(object: S): WithoutMetadata<H>; fromHub(hub: H): WithoutMetadata<S> },
): Spoke<H> => ({
  definition,
  toHub: (object) => functions.toHub(object as S),
  fromHub: (hub) => functions.fromHub(hub),
});

/** All versions of one kind. */
export interface Conversion {
  readonly hub: ResourceDefinition<object>;
  readonly spokes: readonly Spoke<object>[];
}

/** Serves `/convert` for all kinds that have several versions. */
export function conversionHandler(conversions: readonly Conversion[]): Handler {
  return async ({ body }) => {
    let review: ConversionReview;
    try {
      review = (JSON.parse(new TextDecoder().decode(body)) ?? {}) as ConversionReview; // Go reads null as nothing
    } catch {
      return { status: 400, body: "" }; // as controller-runtime answers what is no review
    }
    const { request, apiVersion, kind } = review;
    if (!request) return { status: 400, body: "" };
    const { uid, desiredAPIVersion, objects = [] } = request;
    try {
      const convertedObjects = objects.map((object) =>
        convert(conversions, object as unknown as KubernetesObject, desiredAPIVersion),
      );
      return json({ apiVersion, kind, response: { uid, convertedObjects, result: { status: "Success" } } });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return json({
        apiVersion,
        kind,
        response: { uid, convertedObjects: [], result: { status: "Failure", message } },
      });
    }
  };
}

/** Pure: the object in another version, by way of the hub. @throws Error where no version is known */
function convert(conversions: readonly Conversion[], object: KubernetesObject, desired: string): object {
  const { apiVersion = "", kind = "" } = object;
  if (apiVersion === desired) throw new Error(`conversion is not allowed between same type ${apiVersion} ${kind}`);
  const conversion = conversions.find(
    ({ hub }) => hub.kind === kind && [apiVersion, desired].every((each) => each.startsWith(`${hub.group}/`)),
  );
  if (conversion === undefined) throw new Error(`${kind} of ${apiVersion} is not convertible to ${desired}`);
  const hubVersion = formatGroupVersion(conversion.hub);
  const spokeOf = (version: string): Spoke<object> => {
    const found = conversion.spokes.find(({ definition }) => formatGroupVersion(definition) === version);
    if (found === undefined) throw new Error(`${kind} has no version ${version} that can be converted`);
    return found;
  };
  const { metadata } = object;
  const hub =
    apiVersion === hubVersion
      ? object
      : { ...spokeOf(apiVersion).toHub(object), apiVersion: hubVersion, kind, metadata };
  const converted = desired === hubVersion ? hub : spokeOf(desired).fromHub(hub);
  return { ...converted, apiVersion: desired, kind, metadata };
}
