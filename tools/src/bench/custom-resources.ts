/** Definitions and objects that rows about custom resources are made of. */
export const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const thingsPath = (group: string): string => `/apis/${group}/v1/namespaces/default/things`;

export function definitionOf(group: string, spec: object): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "things", singular: "thing", kind: "Thing" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}

export const smallDefinition = (group: string): object =>
  definitionOf(group, {
    type: "object",
    properties: { text: { type: "string", maxLength: 20 }, replicas: { type: "integer", minimum: 0 } },
  });

export const thing = (group: string): object => ({
  apiVersion: `${group}/v1`,
  kind: "Thing",
  metadata: { generateName: "bench-" },
  spec: {
    text: "some text",
    replicas: 3,
    min: 1,
    max: 5,
    names: ["one", "two", "three"],
    image: "registry.example.com/team/app:v1.2.3",
    ports: [
      { name: "http", port: 80 },
      { name: "https", port: 443 },
    ],
    labels: { app: "bench", tier: "load" },
    window: "30m",
    mode: "Auto",
  },
});

const rules = [
  "self.min <= self.max",
  "self.replicas >= self.min && self.replicas <= self.max",
  "self.text.size() < 40",
  "!self.text.contains('forbidden')",
  "self.names.all(name, name.size() > 0)",
  "self.names.exists(name, name == 'one')",
  "self.names.size() <= 10",
  "self.names.all(name, name.matches('^[a-z]+$'))",
  "self.image.startsWith('registry.example.com/')",
  "self.image.split(':').size() == 2",
  "!self.image.endsWith(':latest')",
  "self.ports.all(p, p.port > 0 && p.port < 65536)",
  "self.ports.exists_one(p, p.name == 'http')",
  "self.ports.all(p, self.ports.exists_one(q, q.port == p.port))",
  "self.labels.all(key, key.size() < 20)",
  "'app' in self.labels",
  "self.labels['app'] == 'bench' || self.labels['app'] == 'other'",
  "duration(self.window) <= duration('1h')",
  "self.mode in ['Auto', 'Manual']",
  "self.mode != 'Manual' || has(self.replicas)",
];

/** Twenty rules as authors write them: comparisons, comprehensions, texts, a duration. */
export const ruledDefinition = (group: string): object =>
  definitionOf(group, {
    type: "object",
    required: ["min", "max", "replicas", "names", "image", "ports", "labels", "window", "mode", "text"],
    properties: {
      text: { type: "string", maxLength: 40 },
      replicas: { type: "integer" },
      min: { type: "integer" },
      max: { type: "integer" },
      names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 20 } },
      image: { type: "string", maxLength: 100 },
      ports: {
        type: "array",
        maxItems: 10,
        items: { type: "object", properties: { name: { type: "string", maxLength: 15 }, port: { type: "integer" } } },
      },
      labels: { type: "object", maxProperties: 10, additionalProperties: { type: "string", maxLength: 20 } },
      window: { type: "string", maxLength: 10 },
      mode: { type: "string", maxLength: 10 },
    },
    "x-kubernetes-validations": rules.map((rule) => ({ rule })),
  });

export const ruleCount = rules.length;
