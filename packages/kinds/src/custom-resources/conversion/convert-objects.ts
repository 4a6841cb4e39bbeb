import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceConversion, WebhookConversion } from "@coxswain/api/apiextensions/v1";
import { cloneJson } from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { StatusError } from "@coxswain/apimachinery/status";
import { ConversionError } from "./conversion-error.js";
import { readConversionResponse } from "./conversion-response.js";
import { chooseReviewVersion, conversionRequest, noReviewVersion } from "./conversion-review.js";
import { checkConvertible, isEmptyObject, relabel } from "./convertible.js";

/** Posts a ConversionReview. A rejection's message is what the webhook failed with. */
export type CallConversionWebhook = (
  webhook: DeepReadonly<WebhookConversion>,
  review: Readonly<Record<string, unknown>>,
) => Promise<unknown>;

export interface ConvertOptions {
  /** What the objects are to become. */
  readonly apiVersion: string;
  /** Every apiVersion that the definition has. */
  readonly known: ReadonlySet<string>;
  /** @default None */
  readonly conversion: DeepReadonly<CustomResourceConversion> | undefined;
  uid(): string;
  callWebhook: CallConversionWebhook;
}

/**
 * Objects of one kind in another version, in order. One request for all that are in another version, and one for each where its
 * answer is of no use; none where there are none. Leaves what it is given as it is. Rejects with a StatusError whose message is upstream's.
 */
export async function convertObjects(
  objects: readonly KubernetesObject[],
  options: ConvertOptions,
): Promise<readonly KubernetesObject[]> {
  const { apiVersion, known, conversion } = options;
  try {
    checkConvertible(objects, { apiVersion, known, isList: false });
    const { webhook } = conversion ?? {};
    if (conversion?.strategy !== "Webhook" || !webhook)
      return objects.map((object) => relabel(cloneJson(object), apiVersion)); // the caller may change what it gets
    const others = objects.filter((object) => object.apiVersion !== apiVersion && !isEmptyObject(object));
    const made = others.length > 0 ? await askForAll(others, webhook, options) : [];
    let next = 0;
    return objects.map((object) => {
      if (object.apiVersion === apiVersion) return object;
      return isEmptyObject(object) ? relabel(object, apiVersion) : (made[next++] as KubernetesObject);
    });
  } catch (err) {
    // Upstream gives such errors no reason.
    if (err instanceof ConversionError)
      throw new StatusError({ code: 500, reason: "", message: err.message }, { cause: err });
    throw err;
  }
}

/**
 * Upstream asks for each object that it decodes (crdConversionRESTOptionsGetter of apiextensions-apiserver's
 * customresource_handler.go gives the store's codec the converter): a webhook may know no more than one, and what is wrong is
 * reported of the object that has it. A webhook that cannot be reached is not asked again.
 */
async function askForAll(
  objects: readonly KubernetesObject[],
  webhook: DeepReadonly<WebhookConversion>,
  options: ConvertOptions,
): Promise<KubernetesObject[]> {
  const readAll = await ask(objects, webhook, options);
  try {
    return readAll();
  } catch (err) {
    if (objects.length === 1 || !(err instanceof ConversionError)) throw err;
  }
  const made: KubernetesObject[] = [];
  for (const object of objects) {
    const read = await ask([object], webhook, options);
    for (const one of read()) made.push(one);
  }
  return made;
}

/** What reads the webhook's answer. Rejects where there is none. */
async function ask(
  objects: readonly KubernetesObject[],
  webhook: DeepReadonly<WebhookConversion>,
  { apiVersion, uid, callWebhook }: ConvertOptions,
): Promise<() => KubernetesObject[]> {
  const review = chooseReviewVersion(webhook.conversionReviewVersions);
  if (!review) throw new ConversionError(noReviewVersion);
  const head = { review, uid: uid(), apiVersion };
  const subject = subjectOf(objects[0] as KubernetesObject);
  const response = await callWebhook(webhook, conversionRequest(objects, head)).catch((err: unknown) => {
    throw new ConversionError(`conversion webhook for ${subject} failed: ${(err as Error).message}`);
  });
  return () => readConversionResponse(response, { ...head, objects, subject, isList: false });
}

/** "example.com/v1, Kind=Thing" */
function subjectOf({ apiVersion = "", kind = "" }: KubernetesObject): string {
  const parsed = parseGroupVersion(apiVersion);
  return `${parsed ? formatGroupVersion(parsed) : apiVersion}, Kind=${kind}`;
}
