import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { definitions } from "../gen/definitions.js";

interface Definition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** By plural name: all are of the whole cluster. */
const resources: Readonly<Record<string, string>> = {
  CustomResourceDefinition: "customresourcedefinitions",
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
  ValidatingAdmissionPolicyBinding: "validatingadmissionpolicybindings",
};

/**
 * Makes the definitions of the Gateway API's standard channel that are not there, and leaves alone those that are. They are applied as
 * kubectl would, under its name, so that a user's own `kubectl apply --server-side` takes them over without a conflict.
 */
export async function applyDefinitions(client: Client): Promise<void> {
  for (const text of definitions) {
    const definition = JSON.parse(text) as Definition;
    const [group = "", version = ""] = definition.apiVersion.split("/");
    const resource = resources[definition.kind];
    if (resource === undefined) throw new Error(`definitions have a ${definition.kind}`);
    const kind = client.dynamic<Definition>({ group, version, resource });
    const { name } = definition.metadata;
    const known = await kind.get(name).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    if (!known) await kind.apply(definition as never, { fieldManager: "kubectl" });
  }
}
