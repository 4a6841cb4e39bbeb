import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { FlagError, formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { untilSignal } from "../command/until-signal.js";
import { etcdFlags } from "./etcd-flags.js";

/**
 * `etcd` of the directory: answers what test environments poll, and stays until a signal. Objects are in the memory of
 * `kube-apiserver`, so nothing is stored here and no client of etcd is served.
 */
export async function runEtcdProgram(args: readonly string[]): Promise<number> {
  const signal = untilSignal();
  try {
    const parsed = parseOnlyFlags(etcdFlags, doubleDashed(args));
    if (parsed.kind === "help") {
      process.stdout.write(formatHelp(etcdFlags, { usage: "etcd [flags]" }));
      return 0;
    }
    const servers = await Promise.all(parsed.options.listenClientUrls.map(listenOn));
    await signal;
    for (const server of servers) server.closeAllConnections();
    return 0;
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    process.stderr.write(`etcd: ${error.message}\n`);
    return 2;
  }
}

/** Go's flags begin with one dash or two. @throws FlagError in etcd's words, for flags that are not taken */
export function doubleDashed(args: readonly string[]): string[] {
  return args.map((argument) => {
    const [, name, value = ""] = /^--?([a-z][a-z0-9-]*)(=.*)?$/s.exec(argument) ?? [];
    if (name === undefined || name === "h") return argument;
    if (!Object.hasOwn(etcdFlags, name)) throw new FlagError(`flag provided but not defined: -${name}`);
    return `--${name}${value}`;
  });
}

async function listenOn(text: string): Promise<Server> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:")
    throw new FlagError(`--listen-client-urls must be URLs such as http://127.0.0.1:2379, not ${JSON.stringify(text)}`);
  const server = createServer(({ url: path = "" }, response) => answer(path.replace(/\?.*$/s, ""), response));
  server.listen({ host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(url.port || 80) });
  await once(server, "listening");
  return server;
}

function answer(path: string, response: ServerResponse): void {
  if (path === "/health") response.writeHead(200).end('{"health":"true","reason":""}');
  else response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" }).end("404 page not found\n");
}
