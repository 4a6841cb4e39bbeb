/** Below this stand all objects, as Kubernetes writes them. */
export const registryPrefix = "/registry/";
