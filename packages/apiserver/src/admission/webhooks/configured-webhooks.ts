import type { DeepReadonly } from "@coxswain/api";
import type { MutatingWebhook, ValidatingWebhook } from "@coxswain/api/admissionregistration/v1";
import { compareUtf8 } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { labelSelectorFromObject, type Selector } from "@coxswain/apimachinery/selector";
import type { Lister } from "../../cache/lister.js";
import type { CompiledConditions, MatchConditionCompiler } from "../matching/match-conditions.js";

export type WebhookSpec = DeepReadonly<ValidatingWebhook & Partial<Pick<MutatingWebhook, "reinvocationPolicy">>>;

export interface WebhookConfiguration extends KubernetesObject {
  readonly webhooks?: readonly WebhookSpec[];
}

/** One webhook of a configuration, with what was compiled from it. */
export interface ConfiguredWebhook {
  /** Identifies a webhook, also among those of the same name within a configuration. */
  readonly uid: string;
  readonly configuration: string;
  readonly spec: WebhookSpec;
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
  /** Undefined: there are none. Compiled when they are first asked for. */
  readonly conditions: CompiledConditions | undefined;
}

/** All webhooks: configurations by name, the webhooks of each in their order. */
export function configuredWebhooks(
  lister: Lister<WebhookConfiguration>,
  prefix: string,
  compiler: MatchConditionCompiler,
): () => readonly ConfiguredWebhook[] {
  /** A changed configuration is another object. */
  const compiled = new WeakMap<WebhookConfiguration, readonly ConfiguredWebhook[]>();
  let known: { readonly state: object; readonly webhooks: readonly ConfiguredWebhook[] } | undefined;
  const webhooksOf = (configuration: WebhookConfiguration): readonly ConfiguredWebhook[] => {
    let found = compiled.get(configuration);
    if (!found) compiled.set(configuration, (found = compileConfiguration(configuration, compiler)));
    return found;
  };
  return () => {
    const state = lister.state();
    if (known?.state !== state) {
      const ordered = [...lister.list(prefix)].sort((a, b) =>
        compareUtf8(a.metadata.name ?? "", b.metadata.name ?? ""),
      );
      known = { state, webhooks: ordered.flatMap(webhooksOf) };
    }
    return known.webhooks;
  };
}

function compileConfiguration(
  { metadata, webhooks = [] }: WebhookConfiguration,
  compiler: MatchConditionCompiler,
): ConfiguredWebhook[] {
  const configuration = metadata.name ?? "";
  const seen = new Map<string, number>();
  return webhooks.map((spec) => {
    const count = seen.get(spec.name) ?? 0;
    seen.set(spec.name, count + 1);
    let conditions: CompiledConditions | undefined;
    return {
      uid: `${configuration}/${spec.name}/${count}`,
      configuration,
      spec,
      namespaceSelector: labelSelectorFromObject(spec.namespaceSelector),
      objectSelector: labelSelectorFromObject(spec.objectSelector),
      get conditions() {
        return spec.matchConditions?.length ? (conditions ??= compiler.compile(spec.matchConditions)) : undefined;
      },
    };
  });
}
