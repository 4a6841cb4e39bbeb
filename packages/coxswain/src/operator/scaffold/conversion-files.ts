import { resourceVariable } from "@coxswain/operator/manifests";
import { fileNameOf, type ScaffoldedKind, sampleFile } from "../../project/kind-names.js";
import type { PlannedFile } from "../../project/write-files.js";
import { conversionModule } from "./kind-names.js";

const upper = (version: string): string => version.replace("v", "V");

/** The conversion between versions of a kind by way of `hub`, which copies both halves until somebody changes one, and its test. */
export const conversionFiles = (hub: ScaffoldedKind, spokes: readonly string[]): PlannedFile[] => [
  { path: `${conversionModule(hub)}.ts`, text: conversionText(hub, spokes) },
  { path: `${conversionModule(hub)}.test.ts`, text: conversionTest(hub, spokes) },
];

const conversionText = (
  { kind, plural, version }: ScaffoldedKind,
  spokes: readonly string[],
): string => `import { type Manager, spoke } from "@coxswain/operator";
import { ${resourceVariable(plural)} as hub } from "../api/${version}/resources.js";
import type { ${kind} as Hub } from "../api/${version}/${fileNameOf(kind)}.js";
${spokes
  .map(
    (spoke) => `import { ${resourceVariable(plural)} as ${spoke} } from "../api/${spoke}/resources.js";
import type { ${kind} as ${upper(spoke)} } from "../api/${spoke}/${fileNameOf(kind)}.js";
`,
  )
  .join("")}
// ${version} is the hub: every other version is converted to it and from it. Metadata is carried over by the library.
${spokes
  .map(
    (spoke) => `
export const ${spoke}Conversion = spoke<Hub, ${upper(spoke)}>(${spoke}, {
  toHub: ({ spec, status }) => ({ spec, ...(status && { status }) }),
  fromHub: ({ spec, status }) => ({ spec, ...(status && { status }) }),
});
`,
  )
  .join("")}
export function add${kind}Conversion(manager: Manager): void {
  manager.conversion(hub, [${spokes.map((spoke) => `${spoke}Conversion`).join(", ")}]);
}
`;

const conversionTest = (hub: ScaffoldedKind, spokes: readonly string[]): string => {
  const { kind, version } = hub;
  return `import { readFileSync } from "node:fs";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { expect, it } from "vitest";
${spokes
  .map((spoke) => `import type { ${kind} as ${upper(spoke)} } from "../api/${spoke}/${fileNameOf(kind)}.js";\n`)
  .join(
    "",
  )}import { ${spokes.map((spoke) => `${spoke}Conversion`).join(", ")} } from "./${fileNameOf(kind)}-conversion.js";

const read = (path: string): unknown => parseYaml(readFileSync(new URL(\`../\${path}\`, import.meta.url), "utf8")).value;
${spokes
  .map(
    (spoke) => `
it("${kind} ${spoke} is the same after a way through ${version}", () => {
  const { metadata = {}, spec } = read("${sampleFile({ ...hub, version: spoke })}") as ${upper(spoke)};
  const stored = ${spoke}Conversion.toHub({ metadata, spec });
  expect(${spoke}Conversion.fromHub({ ...stored, metadata })).toEqual({ spec });
});
`,
  )
  .join("")}`;
};
