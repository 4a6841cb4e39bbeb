import { fileNameOf, type ScaffoldedKind, typeFile } from "../project/kind-names.js";
import type { PlannedFile } from "../project/write-files.js";
import { groupsModule, versionsMark } from "./add-to-groups.js";

/** Of all versions together. */
export const kindModule = ({ kind }: ScaffoldedKind): string => `kinds/${fileNameOf(kind)}`;

/** `bookingKind`: no word of the language, and nothing that the modules have otherwise. */
export const kindVariable = ({ kind }: ScaffoldedKind): string =>
  `${kind.slice(0, 1).toLowerCase()}${kind.slice(1)}Kind`;

/** The behaviour of a new kind, which has none of its own yet, and its test. */
export const kindFiles = (kind: ScaffoldedKind): PlannedFile[] => [
  { path: `${kindModule(kind)}.ts`, text: behaviour(kind) },
  { path: `${kindModule(kind)}.test.ts`, text: test(kind) },
];

const behaviour = (scaffolded: ScaffoldedKind): string => {
  const { group, kind, plural } = scaffolded;
  return `import { kindOfDefinition } from "@coxswain/apiserver/library";
import { definitions } from "../api/definitions.js";
import type { ${kind} as Type } from "../${typeFile(scaffolded).replace(/\.ts$/, ".js")}";

export const ${kindVariable(scaffolded)} = kindOfDefinition<Type>(definitions["${plural}.${group}"], {
  // What the schema cannot express. Objects are in the stored version.
  strategy: {
    // validateCreate: (object) => (object.spec.… ? [] : [invalid(fieldPath("spec", "…"), object.spec.…, "must …")]),
  },
  // Defaults and conversion of versions that are not stored.
  versions: {
    ${versionsMark}
  },
});
`;
};

const test = ({
  group,
  version,
  plural,
  kind,
}: ScaffoldedKind): string => `import { describeApi } from "@coxswain/apiserver/describe-api";
import { createApiServer, createInProcessTransport } from "@coxswain/apiserver/library";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { groups } from "${groupsModule}";

// What kubectl, client-go and controllers rely on.
describeApi("${kind}", {
  async open() {
    const server = await createApiServer({ groups, store: createMemoryStore({ runtime: systemRuntime() }) });
    const transport = createInProcessTransport(server, { user: { name: "me", groups: ["system:masters"] } });
    return { transport, stop: () => server.stop() };
  },
  group: "${group}",
  version: "${version}",
  otherVersions: [
    ${versionsMark}
  ],
  plural: "${plural}",
  namespaced: true,
  valid: () => ({ spec: { example: "text" } }),
  change: { spec: { example: "other" } },
  status: {
    conditions: [{ type: "Ready", status: "True", reason: "Confirmed", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }],
  },
  invalid: { "an example without text": { spec: { example: "" } } },
});
`;
