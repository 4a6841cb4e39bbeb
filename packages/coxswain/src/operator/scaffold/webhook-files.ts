import { fileNameOf, type ScaffoldedKind, sampleFile } from "../../project/kind-names.js";
import type { PlannedFile } from "../../project/write-files.js";
import { type KindNames, withFreeNames } from "./free-names.js";
import { defaultingModule, validationModule } from "./kind-names.js";

/** A defaulting webhook that changes nothing yet, and its test. */
export const defaultingFiles = (kind: ScaffoldedKind): PlannedFile[] => [
  {
    path: `${defaultingModule(kind)}.ts`,
    text: withFreeNames(
      kind,
      (names) => `import type { Manager } from "@coxswain/operator";
import { ${names.importedResource} } from "../../api/${kind.version}/resources.js";
import type { ${names.importedType} } from "../../api/${kind.version}/${fileNameOf(kind.kind)}.js";

/** Fills in what was left out: changes the object before it is validated and stored. */
export function default${kind.kind}(object: ${names.type}): void {
  // object.spec.replicas ??= 1;
  void object;
}

export function add${kind.kind}Defaulting(manager: Manager): void {
  manager.webhook(${names.resource}, { default: (object) => default${kind.kind}(object) });
}
`,
    ),
  },
  {
    path: `${defaultingModule(kind)}.test.ts`,
    text: withFreeNames(
      kind,
      (
        names,
      ) => `${testImports(kind, names)}import { default${kind.kind} } from "./${fileNameOf(kind.kind)}-defaulting.js";

${readSample(kind, names)}
it("defaulting keeps what a ${kind.kind} sets", () => {
  const object = sample();
  default${kind.kind}(object);
  expect(object).toMatchObject(sample());
});
`,
    ),
  },
];

/** A validating webhook that refuses nothing yet, and its test. */
export const validationFiles = (kind: ScaffoldedKind): PlannedFile[] => [
  {
    path: `${validationModule(kind)}.ts`,
    text: withFreeNames(
      kind,
      (names) => `import type { Manager } from "@coxswain/operator";
import { ${names.importedResource} } from "../../api/${kind.version}/resources.js";
import type { ${names.importedType} } from "../../api/${kind.version}/${fileNameOf(kind.kind)}.js";

/** Throws to refuse the object: the message reaches the client. \`old\`: what it replaces, where it is an update. */
export function validate${kind.kind}(object: ${names.type}, old?: ${names.type}): void {
  // if (old && object.spec.source !== old.spec.source) throw new Error("spec.source is immutable");
  void [object, old];
}

export function add${kind.kind}Validation(manager: Manager): void {
  manager.webhook(${names.resource}, {
    validate: {
      create: (object) => validate${kind.kind}(object),
      update: (object, old) => validate${kind.kind}(object, old),
    },
  });
}
`,
    ),
  },
  {
    path: `${validationModule(kind)}.test.ts`,
    text: withFreeNames(
      kind,
      (
        names,
      ) => `${testImports(kind, names)}import { validate${kind.kind} } from "./${fileNameOf(kind.kind)}-validation.js";

${readSample(kind, names)}
it("the sample of ${kind.kind} is valid, and may stay as it is", () => {
  expect(() => validate${kind.kind}(sample())).not.toThrow();
  expect(() => validate${kind.kind}(sample(), sample())).not.toThrow();
});
`,
    ),
  },
];

const testImports = (
  { version, kind }: ScaffoldedKind,
  { importedType }: KindNames,
): string => `import { readFileSync } from "node:fs";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { expect, it } from "vitest";
import type { ${importedType} } from "../../api/${version}/${fileNameOf(kind)}.js";
`;

const readSample = (
  kind: ScaffoldedKind,
  { type }: KindNames,
): string => `const file = new URL("../../${sampleFile(kind)}", import.meta.url);
const sample = (): ${type} => parseYaml(readFileSync(file, "utf8")).value as ${type};
`;
