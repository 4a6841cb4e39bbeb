import type { ImageReview, ImageReviewSpec, ImageReviewStatus } from "@coxswain/api/imagepolicy/v1alpha1";
import { compareUtf8 } from "@coxswain/apimachinery/json";
import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import { retry } from "@coxswain/runtime/backoff";
import type { AdmissionAttributes, AdmissionPlugin } from "../admission.js";
import { forbid } from "../forbid.js";
import type { ImagePolicyConfiguration } from "./configuration.js";
import type { PostedReview } from "./post-review.js";

const auditPrefix = "imagepolicywebhook.image-policy.k8s.io/";
const failedOpen = "alpha.image-policy.k8s.io/failed-open";
const mostAnswers = 1024;
const attempts = 5;

export interface ImagePolicyDeps {
  readonly configuration: ImagePolicyConfiguration;
  /** Asks the backend once. */
  post(body: string): Promise<PostedReview>;
  /** Milliseconds that only grow. */
  monotonic(): number;
}

/** A backend decides which images may run. */
export function createImagePolicyWebhook({ configuration, post, monotonic }: ImagePolicyDeps): AdmissionPlugin {
  const { allowMs, denyMs, retryMs, defaultAllow } = configuration;
  const answers = new Map<string, { readonly status: ImageReviewStatus; readonly until: number }>();

  async function ask(spec: ImageReviewSpec): Promise<ImageReviewStatus> {
    const key = JSON.stringify(spec);
    const known = answers.get(key);
    if (known && known.until > monotonic()) return known.status;
    const review: ImageReview = {
      kind: "ImageReview",
      apiVersion: "imagepolicy.k8s.io/v1alpha1",
      metadata: {},
      spec,
      status: { allowed: false },
    };
    const { body } = await retry(() => post(JSON.stringify(review)).then(checkAnswer), {
      backoff: { initialMs: retryMs, factor: 1.5, jitter: 0.2, steps: attempts },
      isRetriable,
    });
    const status = (JSON.parse(body) as ImageReview).status ?? {};
    answers.delete(key);
    answers.set(key, { status, until: monotonic() + (status.allowed ? allowMs : denyMs) });
    if (answers.size > mostAnswers) answers.delete(answers.keys().next().value ?? "");
    return status;
  }

  return {
    name: "ImagePolicyWebhook",
    operations: ["CREATE", "UPDATE"],
    async validate(attributes) {
      const { kind, subresource, request } = attributes;
      if (
        kind.group !== "" ||
        kind.resource !== "pods" ||
        (subresource !== "" && subresource !== "ephemeralcontainers")
      )
        return;
      const pod = attributes.object as StoredPod;
      let status: ImageReviewStatus;
      try {
        status = await ask(specOf(attributes, pod));
      } catch (err) {
        if (!defaultAllow) throw refuseUnanswered(attributes, err);
        request?.annotate(`${auditPrefix}failed-open`, "true");
        // The pod is annotated too, as it always was.
        setOwn((pod.metadata.annotations ??= {}), failedOpen, "true");
        return;
      }
      for (const [key, value] of ownEntries(status.auditAnnotations)) request?.annotate(`${auditPrefix}${key}`, value);
      if (!status.allowed)
        throw forbid(
          attributes,
          status.reason
            ? `image policy webhook backend denied one or more images: ${status.reason}`
            : "one or more images rejected by webhook backend",
        );
    },
  };
}

/** Upstream's message has "forbidden" twice. */
const refuseUnanswered = (attributes: AdmissionAttributes, err: unknown): Error =>
  forbid(attributes, forbid(attributes, err instanceof Error ? err.message : String(err)).message);

function specOf({ subresource, namespace }: AdmissionAttributes, { spec, metadata }: StoredPod): ImageReviewSpec {
  const containers =
    subresource === ""
      ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
      : (spec.ephemeralContainers ?? []);
  const annotations: Record<string, string> = {};
  for (const [key, value] of ownEntries(metadata.annotations).sort(([a], [b]) => compareUtf8(a, b)))
    if (key.includes(".image-policy.k8s.io/")) setOwn(annotations, key, value);
  return {
    containers: containers.map(({ image = "" }) => ({ image })),
    ...(Object.keys(annotations).length > 0 && { annotations }),
    namespace,
  };
}

class Unanswered extends Error {
  readonly again: boolean;

  constructor(message: string, again: boolean) {
    super(message);
    this.again = again;
  }
}

function checkAnswer(answer: PostedReview): PostedReview {
  const { code, retryAfter } = answer;
  if (code >= 200 && code < 300) return answer;
  throw new Unanswered(`Error contacting webhook: ${code}`, code === 429 || code === 500 || code === 504 || retryAfter);
}

/** What may be better a moment later. */
const isRetriable = (err: unknown): boolean =>
  err instanceof Unanswered ? err.again : (err as { code?: unknown }).code === "ECONNRESET";
