import { withoutVersionMarkers } from "./add-marker.js";
import type { ExistingVersion } from "./existing-versions.js";
import { type ScaffoldedKind, sampleFile, typeFile } from "./kind-names.js";
import type { PlannedFile } from "./write-files.js";

/** The interface of a new kind, with an example of a member and of a status. `library`: of the type that it extends. */
export const typeModule = (kind: ScaffoldedKind, library: string): PlannedFile => ({
  path: typeFile(kind),
  text: `import type { ${importedBeside(kind, "Condition")} } from "@coxswain/api/meta/v1";
import type { ${importedBeside(kind, "CustomResource")} } from "${library}";

/** What is wanted. */
export interface ${kind.kind}Spec {
  /**
   * An example: replace it with members of your own and run "npm run generate".
   * @minLength 1
   */
  example?: string;
}

/** What is there. */
export interface ${kind.kind}Status {
  /**
   * @listType map
   * @listMapKey type
   */
  conditions?: ${nameBeside(kind, "Condition")}[];
}

/**
 * @group ${kind.group}
 * @resource plural=${kind.plural}
 * @subresource status
 * @printColumn Ready path=".status.conditions[?(@.type=='Ready')].status"
 * @printColumn Age type=date path=.metadata.creationTimestamp
 */
export interface ${kind.kind} extends ${nameBeside(kind, "CustomResource")}<${kind.kind}Spec, ${kind.kind}Status> {}
`,
});

/** A type of the library in a module that declares the kind, which may have the same name. */
const nameBeside = ({ kind }: ScaffoldedKind, name: string): string => (kind === name ? `Base${name}` : name);
const importedBeside = (kind: ScaffoldedKind, name: string): string =>
  kind.kind === name ? `${name} as ${nameBeside(kind, name)}` : name;

/** A further version begins as a copy of an existing one, so that both convert into each other until something is changed. */
export const furtherVersion = (kind: ScaffoldedKind, from: ExistingVersion): PlannedFile => ({
  path: typeFile(kind),
  text: withoutVersionMarkers(from.text)
    .replace(/@version[ \t]+\S+/, `@version ${kind.version}`)
    // What stands beside the copied module is in the other version's folder.
    .replace(/(from\s+["'])\.\//g, `$1../${from.version}/`),
});

/** The object that tests and \`kubectl apply -f config/samples\` take. */
export const sampleText = ({ group, version, kind }: ScaffoldedKind): string => `apiVersion: ${group}/${version}
kind: ${kind}
metadata:
  name: ${kind.toLowerCase()}-sample
spec:
  example: text
`;

/** Of a further version: what the other one's sample holds. */
export const sampleOfVersion = (kind: ScaffoldedKind, text: string | undefined): PlannedFile => ({
  path: sampleFile(kind),
  text: text?.replace(/^apiVersion:.*$/m, `apiVersion: ${kind.group}/${kind.version}`) ?? sampleText(kind),
});
