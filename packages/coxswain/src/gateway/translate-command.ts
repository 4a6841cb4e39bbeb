import type { Service } from "@coxswain/api/core/v1";
import type { Ingress } from "@coxswain/api/networking/v1";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import { connect, loadConfig } from "@coxswain/client/node";
import { defineFlags, formatHelp, parseFlags } from "@coxswain/component/flags";
import { translateIngresses } from "@coxswain/gateway";
import { readInput } from "../check/input-files.js";
import { readObjects } from "../check/read-objects.js";

const translateFlags = defineFlags({
  kubeconfig: {
    group: "Input",
    type: "string",
    value: "file",
    help: "The cluster whose Ingresses and Services are read, where no file is named. Default: as kubectl finds it.",
  },
  "gateway-class": {
    group: "Output",
    type: "string",
    default: "coxswain",
    value: "name",
    help: "The class of the Gateways.",
  },
  help: { group: "Help", type: "boolean", help: "Show this text." },
});

const description = `Prints Gateway API objects that do what Ingresses do, with the annotations of ingress-nginx that have an equivalent; what
has none is named on standard error. FILE: manifests, folders of them, or - for the standard input.`;

/** `coxswain gateway translate`: reads, plans, prints. */
export async function runTranslate(args: readonly string[]): Promise<number> {
  const parsed = parseFlags(translateFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(translateFlags, { usage: "coxswain gateway translate [flags] [FILE ...]", description }),
    );
    return 0;
  }
  const { options, rest: words } = parsed;
  const { ingresses, services } = words.length > 0 ? await fromFiles(words) : await fromCluster(options.kubeconfig);
  const { objects, notes } = translateIngresses(ingresses, {
    gatewayClassName: options.gatewayClass,
    portNumber: (namespace, name, portName) =>
      services
        .find(({ metadata }) => metadata?.name === name && (metadata.namespace ?? "default") === namespace)
        ?.spec?.ports?.find((port) => port.name === portName)?.port,
  });
  process.stdout.write(objects.map((object) => stringifyYaml(object)).join("---\n"));
  for (const note of notes) process.stderr.write(`${note}\n`);
  return 0;
}

interface Read {
  readonly ingresses: readonly Ingress[];
  readonly services: readonly Service[];
}

async function fromFiles(words: readonly string[]): Promise<Read> {
  const objects = (await readInput(words, process.stdin)).flatMap((file) =>
    readObjects(file).objects.map(({ manifest }) => manifest),
  );
  const of = (apiVersion: string, kind: string) =>
    objects.filter((object) => object.apiVersion === apiVersion && object.kind === kind) as unknown[];
  return {
    ingresses: of("networking.k8s.io/v1", "Ingress") as Ingress[],
    services: of("v1", "Service") as Service[],
  };
}

async function fromCluster(kubeconfig: string | undefined): Promise<Read> {
  const client = connect(loadConfig(kubeconfig === undefined ? {} : { path: kubeconfig }));
  try {
    return {
      ingresses: (await client.networking.v1.ingresses().list()).items as Ingress[],
      services: (await client.core.v1.services().list()).items as Service[],
    };
  } finally {
    await client.close();
  }
}
