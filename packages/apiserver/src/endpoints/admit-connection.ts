import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { RequestContext } from "../request/request-context.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { Target } from "./target.js";

/** Admission of a request that is handed on. `object` stands for what is connected: the options of the request, or a name. */
export async function admitConnection(
  { admission }: Pick<HandlerDeps, "admission">,
  context: RequestContext,
  { target: { kind, namespace, name }, object }: { readonly target: Target; readonly object: KubernetesObject },
): Promise<void> {
  const attributes = {
    operation: "CONNECT",
    kind,
    subresource: context.info.subresource,
    namespace,
    name,
    object,
    old: undefined,
    user: context.user,
    dryRun: false,
    request: {
      warn: (text: string) => context.warn(text),
      annotate: (key: string, value: string) => context.annotate(key, value),
      signal: context.signal,
    },
  } as const;
  await admission.admit(attributes);
  await admission.validate(attributes);
}
