import type { PlannedFile } from "../write-files.js";
import { defaultingModule, fileNameOf, sampleFile, type ScaffoldedKind, validationModule } from "./kind-names.js";

/** A defaulting webhook that changes nothing yet, and its test. */
export const defaultingFiles = (kind: ScaffoldedKind): PlannedFile[] => [
  {
    path: `${defaultingModule(kind)}.ts`,
    text: `import type { Manager } from "@coxswain/operator";
import { ${kind.plural} } from "../../api/${kind.version}/resources.js";
import type { ${kind.kind} } from "../../api/${kind.version}/${fileNameOf(kind.kind)}.js";

/** Fills in what was left out: changes the object before it is validated and stored. */
export function default${kind.kind}(object: ${kind.kind}): void {
  // object.spec.replicas ??= 1;
  void object;
}

export function add${kind.kind}Defaulting(manager: Manager): void {
  manager.webhook(${kind.plural}, { default: (object) => default${kind.kind}(object) });
}
`,
  },
  {
    path: `${defaultingModule(kind)}.test.ts`,
    text: `${testImports(kind)}import { default${kind.kind} } from "./${fileNameOf(kind.kind)}-defaulting.js";

${readSample(kind)}
it("defaulting keeps what a ${kind.kind} sets", () => {
  const object = sample();
  default${kind.kind}(object);
  expect(object).toMatchObject(sample());
});
`,
  },
];

/** A validating webhook that refuses nothing yet, and its test. */
export const validationFiles = (kind: ScaffoldedKind): PlannedFile[] => [
  {
    path: `${validationModule(kind)}.ts`,
    text: `import type { Manager } from "@coxswain/operator";
import { ${kind.plural} } from "../../api/${kind.version}/resources.js";
import type { ${kind.kind} } from "../../api/${kind.version}/${fileNameOf(kind.kind)}.js";

/** Throws to refuse the object: the message reaches the client. \`old\`: what it replaces, where it is an update. */
export function validate${kind.kind}(object: ${kind.kind}, old?: ${kind.kind}): void {
  // if (old && object.spec.source !== old.spec.source) throw new Error("spec.source is immutable");
  void [object, old];
}

export function add${kind.kind}Validation(manager: Manager): void {
  manager.webhook(${kind.plural}, {
    validate: {
      create: (object) => validate${kind.kind}(object),
      update: (object, old) => validate${kind.kind}(object, old),
    },
  });
}
`,
  },
  {
    path: `${validationModule(kind)}.test.ts`,
    text: `${testImports(kind)}import { validate${kind.kind} } from "./${fileNameOf(kind.kind)}-validation.js";

${readSample(kind)}
it("the sample of ${kind.kind} is valid, and may stay as it is", () => {
  expect(() => validate${kind.kind}(sample())).not.toThrow();
  expect(() => validate${kind.kind}(sample(), sample())).not.toThrow();
});
`,
  },
];

const testImports = ({ version, kind }: ScaffoldedKind): string => `import { readFileSync } from "node:fs";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { expect, it } from "vitest";
import type { ${kind} } from "../../api/${version}/${fileNameOf(kind)}.js";
`;

const readSample = (
  kind: ScaffoldedKind,
): string => `const file = new URL("../../${sampleFile(kind)}", import.meta.url);
const sample = (): ${kind.kind} => parseYaml(readFileSync(file, "utf8")).value as ${kind.kind};
`;
