import { builtInTypes } from "@coxswain/api/tables";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";

/** Members of a CustomResourceDefinition of v1beta1 that v1 has elsewhere. */
interface OldSpec {
  readonly version?: string;
  readonly versions?: readonly OldVersion[];
  readonly validation?: object;
  readonly subresources?: object;
  readonly additionalPrinterColumns?: readonly OldColumn[];
  readonly selectableFields?: readonly object[];
  readonly conversion?: {
    readonly strategy?: string;
    readonly webhookClientConfig?: object;
    readonly conversionReviewVersions?: readonly string[];
  };
  readonly preserveUnknownFields?: boolean;
}
interface OldVersion {
  readonly name?: string;
  readonly additionalPrinterColumns?: readonly OldColumn[];
}
interface OldColumn {
  readonly JSONPath?: string;
}

/**
 * In this version kube-apiserver 1.36 still keeps CustomResourceDefinitions, though nobody is served it any more.
 * What holds for all versions stands beside them there, and in each of them in v1.
 */
export const definitionV1beta1 = {
  apiVersion: "apiextensions.k8s.io/v1beta1",
  kind: "CustomResourceDefinition",
  get schema(): SchemaNode {
    return builtInTypes.get("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1beta1.CustomResourceDefinition");
  },
  toHub(object: KubernetesObject): KubernetesObject {
    const {
      version,
      versions,
      validation,
      subresources,
      additionalPrinterColumns,
      selectableFields,
      conversion,
      preserveUnknownFields = true,
      ...spec
    } = (object as { spec?: OldSpec }).spec ?? {};
    const named = versions?.length ? versions : version ? [{ name: version, served: true, storage: true }] : [];
    const shared = {
      ...(validation && { schema: validation }),
      ...(subresources && { subresources }),
      ...(additionalPrinterColumns && { additionalPrinterColumns: columnsOf(additionalPrinterColumns) }),
      ...(selectableFields && { selectableFields }),
    };
    const own = ({ additionalPrinterColumns: columns, ...rest }: OldVersion) => ({
      ...rest,
      ...(columns && { additionalPrinterColumns: columnsOf(columns) }),
      ...shared,
    });
    return {
      ...object,
      apiVersion: "apiextensions.k8s.io/v1",
      spec: {
        ...spec,
        versions: named.map(own),
        conversion: conversionOf(conversion),
        ...(preserveUnknownFields && { preserveUnknownFields }),
      },
    } as KubernetesObject;
  },
};

const columnsOf = (columns: readonly OldColumn[]): object[] =>
  columns.map(({ JSONPath, ...column }) => ({ ...column, jsonPath: JSONPath ?? "" }));

function conversionOf({
  strategy = "None",
  webhookClientConfig,
  conversionReviewVersions,
}: NonNullable<OldSpec["conversion"]> = {}): object {
  if (strategy !== "Webhook" && !webhookClientConfig && !conversionReviewVersions?.length) return { strategy };
  return {
    strategy,
    webhook: {
      ...(webhookClientConfig && { clientConfig: webhookClientConfig }),
      conversionReviewVersions: conversionReviewVersions?.length ? conversionReviewVersions : ["v1beta1"],
    },
  };
}
