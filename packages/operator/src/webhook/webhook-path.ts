import type { ResourceDefinition } from "../resource/index.js";

/** controller-runtime's paths: `/mutate-media-example-com-v1-videoprocessor`. */
export const webhookPath = (
  action: "mutate" | "validate",
  { group, version, kind }: Pick<ResourceDefinition<object>, "group" | "version" | "kind">,
): string => `/${action}-${group.replaceAll(".", "-")}-${version}-${kind.toLowerCase()}`;

export const conversionPath = "/convert";
