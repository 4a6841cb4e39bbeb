import { defineFlags, FlagError } from "@coxswain/component/flags";
import { isJsonWanted, outputFlags } from "../command/output-flag.js";
import { defineHistoryCommand } from "../history/history-call.js";
import { askHistory, historyPath } from "../history/history-group.js";

interface AccessExplained {
  readonly allowed: boolean;
  readonly text: string;
  readonly nearMisses: readonly {
    readonly binding: { readonly kind: string; readonly namespace?: string; readonly name: string };
    readonly role: { readonly kind: string; readonly name: string };
    readonly text: string;
  }[];
}

/** `coxswain why denied --as ann -n shop delete pods` */
export const deniedCommand = defineHistoryCommand({
  name: "why denied",
  takes: "VERB RESOURCE[/SUBRESOURCE] [NAME]",
  description: "Shows why a user may not do something, and what nearly allows it. Without --as it is about yourself.",
  flags: defineFlags({
    as: { group: "Question", type: "string", value: "user", help: "The user that is asked about." },
    "as-group": { group: "Question", type: "strings", value: "group,…", help: "Groups of that user." },
    "all-namespaces": { group: "Question", type: "boolean", short: "A", help: "In all namespaces." },
    ...outputFlags,
  }),
  async run({ client, namespace, options, words, print }) {
    const [verb, what, name = "", ...more] = words;
    if (verb === undefined || what === undefined || more.length > 0)
      throw new FlagError("name a verb and a resource: why denied delete pods");
    if (options.as === undefined && options.asGroup.length > 0)
      throw new FlagError("--as-group is for --as: name the user that is asked about");
    const spec = {
      ...(options.as !== undefined && { user: options.as, groups: [...options.asGroup, "system:authenticated"] }),
      ...(what.startsWith("/")
        ? { nonResourceAttributes: { verb, path: what } }
        : { resourceAttributes: await resourceOf(what) }),
    };
    async function resourceOf(text: string): Promise<object> {
      const [named = "", subresource = ""] = text.split("/");
      const [plural = "", ...group] = named.split(".");
      const partial = { resource: plural, ...(group.length > 0 && { group: group.join(".") }) };
      const gvk = await client.mapper.kindFor(partial);
      const mapping = await client.mapper.mapping(gvk, gvk.version);
      const where = mapping.namespaced && !options.allNamespaces ? namespace : "";
      return { ...mapping.resource, verb, subresource, name, namespace: where };
    }
    const { status } = await askHistory<{ status: AccessExplained }>(client, {
      method: "POST",
      path: `${historyPath}/accessexplanations`,
      body: {
        as: "value",
        value: { apiVersion: "history.coxswain.dev/v1alpha1", kind: "AccessExplanation", spec },
      },
    });
    if (isJsonWanted(options)) print(JSON.stringify(status, undefined, 2));
    else for (const line of linesOf(status)) print(line);
    return 0;
  },
});

function linesOf({ allowed, text, nearMisses }: AccessExplained): string[] {
  return [
    `${allowed ? "yes" : "no"}${text === "" ? "" : `: ${text}`}`,
    ...nearMisses.map(({ binding, role, text: lack }) => {
      const name = binding.namespace === undefined ? binding.name : `${binding.namespace}/${binding.name}`;
      return `  ${binding.kind} ${name} → ${role.kind} ${role.name}: ${lack}`;
    }),
  ];
}
