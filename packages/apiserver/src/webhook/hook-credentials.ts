import { dirname, resolve } from "node:path";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { ClientConfig } from "@coxswain/component/kubeconfig";

/** What is shown to a webhook. */
export type HookCredentials = Pick<ClientConfig, "clientCertificate" | "clientKey" | "token" | "basic">;

/** Credentials by host and port ("hook.example.com:443", "name.namespace.svc:443"). */
export type FindCredentials = (target: string) => HookCredentials;

export const noCredentials: FindCredentials = () => ({});

interface Kubeconfig {
  readonly "current-context"?: string;
  readonly contexts?: readonly { readonly name: string; readonly context?: { readonly user?: string } }[];
  readonly users?: readonly { readonly name: string; readonly user?: Readonly<Record<string, unknown>> }[];
}

/**
 * The users of a kubeconfig, each named for the webhooks that it is shown to: the host with its port, `*.` and the end of a
 * host, either without the port where that is 443, `*` for all, or else the user of the current context.
 */
export function readHookCredentials(
  text: string,
  { file, readFile }: { readonly file: string; readonly readFile: (path: string) => string },
): FindCredentials {
  const { users = [], contexts = [], "current-context": current } = (parseYaml(text).value ?? {}) as Kubeconfig;
  const byName = new Map(users.map(({ name, user = {} }) => [name, user]));
  const usual = contexts.find(({ name }) => name === current)?.context?.user ?? "";
  const read = (path: string): string => readFile(resolve(dirname(file), path));
  return (target) => {
    const name = [...namesFor(target), "*", usual].find((each) => byName.has(each));
    return name === undefined ? {} : credentialsOf(byName.get(name) ?? {}, read);
  };
}

function* namesFor(target: string): Generator<string> {
  yield* withEndings(target);
  if (target.endsWith(":443")) yield* withEndings(target.slice(0, -":443".length));
}

function* withEndings(target: string): Generator<string> {
  yield target;
  for (let dot = target.indexOf("."); dot >= 0; dot = target.indexOf(".", dot + 1)) yield `*${target.slice(dot)}`;
}

function credentialsOf(user: Readonly<Record<string, unknown>>, readFile: (path: string) => string): HookCredentials {
  const textAt = (name: string): string | undefined => {
    const value = getOwn<unknown>(user, name);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const contentOf = (name: string): string | undefined => {
    const [data, path] = [textAt(`${name}-data`), textAt(name)];
    if (data !== undefined) return Buffer.from(data, "base64").toString();
    return path === undefined ? undefined : readFile(path);
  };
  const tokenFile = textAt("tokenFile");
  const token = textAt("token") ?? (tokenFile === undefined ? undefined : readFile(tokenFile).trim());
  const [clientCertificate, clientKey] = [contentOf("client-certificate"), contentOf("client-key")];
  const username = textAt("username");
  return {
    ...(token !== undefined && { token }),
    ...(clientCertificate !== undefined && { clientCertificate }),
    ...(clientKey !== undefined && { clientKey }),
    ...(username !== undefined && { basic: { username, password: textAt("password") ?? "" } }),
  };
}
