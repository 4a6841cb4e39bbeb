import type { DeepReadonly } from "@coxswain/api";
import { goJson, quoteGo } from "@coxswain/apimachinery/field";
import { goType } from "@coxswain/apimachinery/jsonpath";
import { type KubernetesObject, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { isList, isObject, type JsonObject } from "@coxswain/apimachinery/structural-schema";
import { goJsonKind } from "@coxswain/apimachinery/text";
import { ConversionError } from "./conversion-error.js";
import type { ReviewHead } from "./conversion-review.js";
import { restoreMetadata } from "./restore-metadata.js";

type Given = DeepReadonly<KubernetesObject>;

export interface AskedConversion extends ReviewHead {
  /** What was sent, in order. */
  readonly objects: readonly Given[];
  /** What errors call the whole: "example.com/v1, Kind=Thing". */
  readonly subject: string;
  /** Whether the objects are items of a list: errors name the index. */
  readonly isList: boolean;
}

/** The objects that a webhook made, in the order in which they were sent. @throws ConversionError */
export function readConversionResponse(response: unknown, asked: AskedConversion): KubernetesObject[] {
  const { objects, subject } = asked;
  const converted = attempt(`conversion webhook for ${subject} failed`, () => convertedObjects(response, asked));
  if (converted.length !== objects.length)
    throw new ConversionError(
      `conversion webhook for ${subject} returned ${converted.length} objects, expected ${objects.length}`,
    );
  return objects.map((original, at) => checkConverted(original, converted[at], { ...asked, at }));
}

function convertedObjects(review: unknown, { review: version, uid }: ReviewHead): readonly unknown[] {
  checkReview(review, version);
  const response = getOwn<unknown>(review, "response");
  if (!isObject(response)) throw new ConversionError("no response provided");
  const given = textAt(response, "uid");
  if (version === "v1" && given !== uid)
    throw new ConversionError(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(given)}`);
  const result = getOwn<unknown>(response, "result");
  const status = isObject(result) ? textAt(result, "status") : "";
  const message = isObject(result) ? textAt(result, "message") : "";
  if (status !== "Success")
    throw new ConversionError(message || `response.result.status was '${status}', not 'Success'`);
  const objects = getOwn<unknown>(response, "convertedObjects");
  return isList(objects) ? objects : [];
}

function checkReview(review: unknown, version: string): asserts review is JsonObject {
  if (!isObject(review))
    throw new ConversionError(`json: cannot unmarshal ${goType(review)} into Go value of type struct`);
  const [apiVersion, kind] = [textAt(review, "apiVersion"), textAt(review, "kind")];
  const group = parseGroupVersion(apiVersion);
  if (kind === "ConversionReview" && group?.group === "apiextensions.k8s.io" && group.version !== version)
    throw new ConversionError(
      `converting (${group.version}.ConversionReview) to (${version}.ConversionReview): unknown conversion`,
    );
  const wanted = `apiextensions.k8s.io/${version}`;
  if (kind !== "ConversionReview" || apiVersion !== wanted)
    throw new ConversionError(
      `expected webhook response of ${wanted}, Kind=ConversionReview, got ${apiVersion}, Kind=${kind}`,
    );
}

const textAt = (object: JsonObject, name: string): string => {
  const value = getOwn<unknown>(object, name);
  return typeof value === "string" ? value : "";
};

interface InPlace extends AskedConversion {
  readonly at: number;
}

function checkConverted(original: Given, converted: unknown, asked: InPlace): KubernetesObject {
  const { subject, isList: inList, at, apiVersion } = asked;
  const returned = `conversion webhook for ${subject} returned invalid`;
  const object = attempt(inList ? `${returned} converted object at index ${at}` : "", () => readObject(converted));
  const here = inList ? `${returned} converted object at index ${at}` : `${returned} object at index 0`;
  const got = textAt(object, "apiVersion");
  if (got !== apiVersion)
    throw new ConversionError(`${here}: invalid groupVersion (expected ${apiVersion}, received ${got})`);
  const kind = textAt(object, "kind");
  if (kind !== original.kind)
    throw new ConversionError(`${here}: invalid kind (expected ${original.kind}, received ${kind})`);
  attempt(inList ? here : `${returned} object`, () => checkIdentity(original, object));
  const place = inList ? `${returned} metadata in object at index ${at}` : `${returned} metadata`;
  const metadata = attempt(place, () => restoreMetadata(original.metadata, getOwn<unknown>(object, "metadata")));
  return { ...object, metadata } as unknown as KubernetesObject;
}

function readObject(value: unknown): JsonObject {
  if (!isObject(value))
    throw new ConversionError(
      `json: cannot unmarshal ${goJsonKind(value)} into Go value of type map[string]interface {}`,
    );
  if (textAt(value, "kind") === "") throw new ConversionError(`Object 'Kind' is missing in '${goJson(value)}'`);
  return value;
}

function checkIdentity({ metadata }: Given, converted: JsonObject): void {
  const given = getOwn<unknown>(converted, "metadata");
  const members = [
    ["name", "name"],
    ["namespace", "namespace"],
    ["uid", "UID"],
  ] as const;
  for (const [member, called] of members) {
    const [before, after] = [metadata[member] ?? "", isObject(given) ? textAt(given, member) : ""];
    if (before !== after) throw new ConversionError(`must have the same ${called}: ${before} != ${after}`);
  }
}

/** Puts the place before what is wrong there. */
function attempt<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (err) {
    if (err instanceof ConversionError && place !== "") throw new ConversionError(`${place}: ${err.message}`);
    throw err;
  }
}
