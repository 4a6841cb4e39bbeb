import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from "@coxswain/api/apiextensions/v1";
import { equalJson } from "@coxswain/apimachinery/json";

type Spec = DeepReadonly<CustomResourceDefinitionSpec>;
export type VersionSpec = DeepReadonly<CustomResourceDefinitionVersion>;

const hoistable = ["schema", "subresources", "additionalPrinterColumns", "selectableFields"] as const;

/** What all versions agree on. */
export type CommonSpec = Partial<Pick<VersionSpec, (typeof hoistable)[number]>>;

/**
 * A definition as upstream checks it (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go, Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec): what is the same in all versions stands once, before them. So errors name `spec.validation`
 * where a definition has one version only.
 */
export interface HoistedSpec {
  readonly common: CommonSpec;
  readonly versions: readonly VersionSpec[];
}

export function hoist({ versions }: Spec): HoistedSpec {
  const [first, ...others] = versions ?? [];
  if (!first) return { common: {}, versions: [] };
  const same = hoistable.filter((member) =>
    others.every((version) => equalJson(version[member] ?? [], first[member] ?? [])),
  );
  const common = Object.fromEntries(
    same.filter((member) => first[member] !== undefined).map((member) => [member, first[member]]),
  ) as CommonSpec;
  const without = (version: VersionSpec): VersionSpec =>
    Object.fromEntries(
      Object.entries(version).filter(([member]) => !same.some((one) => one === member)),
    ) as unknown as VersionSpec;
  return { common, versions: [first, ...others].map(without) };
}

/** Every schema of a definition. */
export const schemasOf = ({ versions }: Spec): NonNullable<VersionSpec["schema"]>["openAPIV3Schema"][] => {
  const hoisted = hoist({ versions } as Spec);
  return [hoisted.common, ...hoisted.versions].flatMap(({ schema }) =>
    schema?.openAPIV3Schema ? [schema.openAPIV3Schema] : [],
  );
};
