/** What bodies are called, in the order in which upstream offers them. */
export const objectTypes = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"] as const;
export const watchTypes = [
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
] as const;
export const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
] as const;
export const anyType = ["*/*"] as const;
/** Custom resources have no protobuf form and no strategic merge patch. */
export const customObjectTypes = ["application/json", "application/yaml"] as const;
export const customPatchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/apply-patch+yaml",
] as const;
