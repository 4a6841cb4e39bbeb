import type { AdmissionPlugin } from "../admission.js";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { readImagePolicyConfiguration } from "./configuration.js";
import { createImagePolicyWebhook } from "./image-policy-webhook.js";
import { postReview } from "./post-review.js";

export function makeImagePolicyWebhook(
  clock: { monotonic(): number },
  given: PluginConfiguration | undefined,
): AdmissionPlugin {
  const configuration = readImagePolicyConfiguration(given);
  return createImagePolicyWebhook({
    configuration,
    post: (body) => postReview(configuration.backend, body),
    monotonic: () => clock.monotonic(),
  });
}
