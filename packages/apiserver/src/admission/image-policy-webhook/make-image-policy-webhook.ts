import type { Runtime } from "@coxswain/runtime";
import type { AdmissionPlugin } from "../admission.js";
import type { PluginConfiguration } from "../configuration/plugin-configuration.js";
import { readImagePolicyConfiguration } from "./configuration.js";
import { createImagePolicyWebhook } from "./image-policy-webhook.js";
import { createReviewPoster } from "./post-review.js";

export function makeImagePolicyWebhook(
  { clock, ioClock }: Runtime,
  given: PluginConfiguration | undefined,
): AdmissionPlugin {
  const configuration = readImagePolicyConfiguration(given);
  return createImagePolicyWebhook({
    configuration,
    post: createReviewPoster(configuration.backend, ioClock),
    monotonic: () => clock.monotonic(),
  });
}
