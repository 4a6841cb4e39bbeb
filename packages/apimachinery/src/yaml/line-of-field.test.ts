import { describe, expect, it } from "vitest";
import { lineOfField, yamlDocuments } from "./index.js";

const text = `# a comment
apiVersion: v1
metadata:
  labels: &labels
    app.kubernetes.io/name: web
spec:
  template: { metadata: { labels: *labels } }
  containers:
    - name: a
      image: x
    -
      name: b
      "ports": [{ containerPort: 1 },
        { containerPort: 2 }]
`;

describe("lineOfField", () => {
  const cases: [name: string, path: string[], line: number][] = [
    ["the document itself begins at its first node", [], 2],
    ["a member stands where its name does", ["spec", "containers"], 8],
    ["an item of a list stands where it begins", ["spec", "containers", "1"], 12],
    ["a member of an item", ["spec", "containers", "1", "name"], 12],
    ["names in quotes and flow collections over lines", ["spec", "containers", "1", "ports", "1", "containerPort"], 14],
    ["a name with dots and slashes", ["metadata", "labels", "app.kubernetes.io/name"], 5],
    ["through an alias", ["spec", "template", "metadata", "labels", "app.kubernetes.io/name"], 5],
    ["a missing field: its nearest parent", ["spec", "containers", "0", "resources", "limits"], 9],
    ["an index that is not there", ["spec", "containers", "7", "image"], 8],
  ];
  for (const [name, path, line] of cases) it(name, () => expect(lineOfField(text, path)).toBe(line));

  it("JSON is read as well", () => expect(lineOfField('{\n "a": {\n  "b": 1 } }', ["a", "b"])).toBe(3));
});

it("documents know the line where they begin", () =>
  expect(yamlDocuments("a: 1\n---\n# Source: x\nb: 2\n---\n---\nc: 3").map(({ line }) => line)).toEqual([1, 3, 7]));
