import { stringifyJson } from "@coxswain/apimachinery/json";
import { StatusError } from "@coxswain/apimachinery/status";
import type { DocumentAnswer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";

const versions = ["v1alpha1", "v1beta1"] as const;

export interface StructuredPage {
  /** `Statusz` or `Flagz`. */
  readonly kind: string;
  text(): string;
  /** Its own members, beside kind, apiVersion and metadata. */
  members(): Readonly<Record<string, unknown>>;
}

/** A page for people, or the same as an object of config.k8s.io for programs that name the very type in `Accept`. */
export async function answerStructured(page: StructuredPage, context: RequestContext): Promise<DocumentAnswer> {
  const chosen = choose(context.request.header("accept"), page.kind);
  if (!chosen)
    throw new StatusError({
      code: 406,
      reason: "NotAcceptable",
      message: "only the following media types are accepted: application/json, application/yaml, text/plain",
    });
  if (chosen.mediaType === "text/plain")
    return {
      as: "document",
      code: 200,
      contentType: "text/plain; charset=utf-8",
      bytes: new TextEncoder().encode(page.text()),
    };
  if (chosen.version === "v1alpha1")
    context.warnings.push(
      `This version of the ${page.kind.toLowerCase()} endpoint is deprecated. Please use a newer version.`,
    );
  const object = {
    kind: page.kind,
    apiVersion: `config.k8s.io/${chosen.version}`,
    metadata: { name: "apiserver" },
    ...page.members(),
  };
  const text =
    chosen.mediaType === "application/json"
      ? stringifyJson(object, { pretty: true })
      : (await import("@coxswain/apimachinery/yaml")).stringifyYaml(object);
  return {
    as: "document",
    code: 200,
    contentType: `${chosen.mediaType};g=config.k8s.io;v=${chosen.version};as=${page.kind}`,
    bytes: new TextEncoder().encode(text),
  };
}

interface Choice {
  readonly mediaType: "text/plain" | "application/json" | "application/yaml";
  readonly version: string;
}

/** The first range of `Accept` that one of ours fits. JSON and YAML only count with group, version and kind. */
function choose(accept: string | undefined, kind: string): Choice | undefined {
  if (accept === undefined || accept === "") return { mediaType: "text/plain", version: "" };
  for (const range of accept.split(",")) {
    const [type = "", ...rest] = range.split(";").map((part) => part.trim());
    if (type === "*/*" || type === "text/*" || type === "text/plain") return { mediaType: "text/plain", version: "" };
    const parameters = new Map(rest.map((part) => part.split("=", 2) as [string, string]));
    const version = versions.find((known) => known === parameters.get("v"));
    if (
      version &&
      parameters.get("g") === "config.k8s.io" &&
      parameters.get("as") === kind &&
      (type === "application/json" || type === "application/yaml")
    )
      return { mediaType: type, version };
  }
  return undefined;
}
