import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { invalid as invalidObject } from "@coxswain/apimachinery/status";
import { type ApiKind, type FieldError, fieldPath, invalid } from "@coxswain/apiserver/library";

type ReferenceType = "Flunder" | "Fischer";

/** v1alpha1, which is stored: one reference, and the type of what it names. */
export interface Flunder extends KubernetesObject {
  spec: { reference?: string; referenceType?: ReferenceType };
}

/** v1beta1: a member for each thing that can be referred to. */
interface FlunderV1beta1 extends KubernetesObject {
  spec: { flunderReference?: string; fischerReference?: string; referenceType?: ReferenceType };
}

const text = (description: string) => ({ type: "string", description });

const schemaWith = (properties: object) => ({
  type: "object",
  description: "An example with a spec and a status.",
  properties: {
    spec: { $ref: "#/$defs/FlunderSpec", default: {} },
    status: { $ref: "#/$defs/FlunderStatus", default: {} },
  },
  $defs: {
    FlunderSpec: { type: "object", description: "What a flunder refers to.", properties },
    FlunderStatus: { type: "object", description: "Nothing yet." },
  },
});

const memberOf = { Flunder: "flunderReference", Fischer: "fischerReference" } as const;

export const flunders: ApiKind<Flunder> = {
  kind: "Flunder",
  scope: "Namespaced",
  hub: "v1alpha1",
  versions: [
    {
      name: "v1alpha1",
      deprecated: "wardle.example.com/v1alpha1 Flunder is deprecated in v1.3+, unavailable in v1.10+",
      schema: schemaWith({
        reference: text("The name of a flunder or a fischer, by the type of the reference."),
        referenceType: text('The type of the reference; "Flunder" where there is a reference and no type.'),
      }),
      setDefaults(object) {
        const { spec } = object as Flunder;
        if (spec.reference && !spec.referenceType) spec.referenceType = "Flunder";
      },
    },
    {
      name: "v1beta1",
      schema: schemaWith({
        flunderReference: text("The name of a flunder; not together with a fischer's."),
        fischerReference: text("The name of a fischer; not together with a flunder's."),
        referenceType: text("The type of the reference."),
      }),
      toHub(object: DeepReadonly<FlunderV1beta1>) {
        const { spec, ...flunder } = object;
        const errors = checkReferences(spec);
        if (errors.length > 0)
          throw invalidObject({ group: "wardle.example.com", kind: "Flunder" }, object.metadata.name ?? "", errors);
        const { referenceType } = spec;
        const reference = referenceType && spec[memberOf[referenceType]];
        return { ...flunder, spec: { ...(reference && { reference }), ...(referenceType && { referenceType }) } };
      },
      fromHub({ spec: { reference, referenceType }, ...flunder }): DeepReadonly<FlunderV1beta1> {
        return {
          ...flunder,
          spec: referenceType ? { referenceType, ...(reference && { [memberOf[referenceType]]: reference }) } : {},
        };
      },
    },
  ],
  strategy: {
    validateCreate: ({ spec: { reference, referenceType } }) =>
      checkReferences({
        ...(referenceType && { referenceType }),
        ...(referenceType && reference && { [memberOf[referenceType]]: reference }),
      }),
  },
};

/** As upstream's validation.go: the references fit their type. */
function checkReferences(spec: DeepReadonly<FlunderV1beta1>["spec"]): FieldError[] {
  const { flunderReference = "", fischerReference = "", referenceType } = spec;
  const wrong = (member: string, value: string, detail: string) => [invalid(fieldPath("spec", member), value, detail)];
  if (referenceType !== undefined && !Object.hasOwn(memberOf, referenceType))
    return wrong("referenceType", referenceType, "must be Flunder or Fischer");
  if (flunderReference !== "" && fischerReference !== "")
    return wrong("fischerReference", fischerReference, "cannot be set with flunderReference at the same time");
  if (flunderReference !== "" && referenceType !== "Flunder")
    return wrong("flunderReference", flunderReference, "cannot be set if referenceType is not Flunder");
  if (fischerReference !== "" && referenceType !== "Fischer")
    return wrong("fischerReference", fischerReference, "cannot be set if referenceType is not Fischer");
  if (fischerReference === "" && referenceType === "Fischer")
    return wrong("fischerReference", "", "cannot be empty if referenceType is Fischer");
  if (flunderReference === "" && referenceType === "Flunder")
    return wrong("flunderReference", "", "cannot be empty if referenceType is Flunder");
  return [];
}
