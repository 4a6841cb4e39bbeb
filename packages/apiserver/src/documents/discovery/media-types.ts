/** What an answer in the aggregated form is labelled with, by encoding. v2beta1 is no longer served; who asks for it gets the older form. */
export const aggregatedDiscoveryTypes = {
  json: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  yaml: "application/yaml;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  protobuf: "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
} as const;
