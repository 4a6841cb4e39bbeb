import { resourceVariable } from "@coxswain/operator/manifests";
import type { ScaffoldedKind } from "../../project/kind-names.js";

/** What a scaffolded module calls the type and the resource of its kind. */
export interface KindNames {
  readonly type: string;
  readonly resource: string;
  /** As import lists have them: `Video`, or `Manager as ManagerKind`. */
  readonly importedType: string;
  readonly importedResource: string;
}

const nobodys = { type: "KindOfNobody", resource: "resourceOfNobody" };

/** The module with names that nothing else in it has: a kind may be called Manager or URL, and a resource conditions. */
export function withFreeNames({ kind, plural }: ScaffoldedKind, render: (names: KindNames) => string): string {
  const taken = identifiersIn(render({ ...nobodys, importedType: nobodys.type, importedResource: nobodys.resource }));
  const exported = resourceVariable(plural);
  const type = taken.has(kind) ? `${kind}Kind` : kind;
  const resource = taken.has(exported) ? `${exported}Resource` : exported;
  return render({
    type,
    resource,
    importedType: type === kind ? kind : `${kind} as ${type}`,
    importedResource: resource === exported ? exported : `${exported} as ${resource}`,
  });
}

/** All words of the code, those of members among them: one name too many is avoided rather than one too few. */
function identifiersIn(module: string): Set<string> {
  const code = module
    .replace(/"[^"\n]*"|`[^`]*`/g, "")
    .split("\n")
    .map((line) => (/^ *\/?\*/.test(line) ? "" : line.split("//", 1)[0]))
    .join("\n");
  return new Set(code.match(/[A-Za-z_$][\w$]*/g));
}
