import { portOf, urlOf, writerTo } from "./curl-command.js";
import { exchangeHttp, type HttpOutcome, readBody } from "./http-exchange.js";
import { readOptions } from "./read-options.js";
import { bytesOf, type Command, fail, type ShellProcess } from "./shell-process.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const table = {
  valued: words("O T t U P o header post-data timeout tries user-agent output-document"),
  plain: words("q S c spider no-check-certificate server-response quiet no-verbose"),
};

/** Busybox's `wget`: one request, its answer into a file or to the standard output. */
export const wget: Command = async (args, process) => {
  const { values, operands, unknown } = readOptions(args, table);
  const url = urlOf(operands[0] ?? "");
  if (unknown !== undefined || !url)
    return process.unknown(["wget", ...args], process, { code: 1, text: `wget: bad address '${operands[0] ?? ""}'` });
  const post = values.get("post-data")?.at(-1);
  const headers = (values.get("header") ?? []).flatMap((line): [string, string][] => {
    const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value ?? ""]];
  });
  const body = post === undefined ? undefined : bytesOf(post);
  const isQuiet = values.has("q") || values.has("quiet");
  const report = (text: string): void => void (isQuiet || process.stderr.write(bytesOf(text)));
  const outcome = await exchangeHttp(process, {
    url,
    method: values.has("spider") ? "HEAD" : body ? "POST" : "GET",
    headers: [
      ["Host", url.host],
      ["User-Agent", "Wget"],
      ...headers,
      ...(body ? [["Content-Length", String(body.length)] as const] : []),
    ],
    body, // and no certificates: busybox checks none
  });
  if (outcome.kind !== "missing" && outcome.kind !== "outside")
    report(`Connecting to ${url.host} (${outcome.address}:${portOf(url)})\n`);
  if (outcome.kind !== "answered") return failed(["wget", ...args], process, { outcome, url });
  const { answer } = outcome;
  const status = answer.statusCode ?? 0;
  if (values.has("S") || values.has("server-response"))
    process.stderr.write(bytesOf(`  HTTP/1.1 ${status} ${answer.statusMessage}\n`));
  if (status >= 400) {
    await readBody(process, answer, () => {});
    return fail(process, `wget: server returned error: HTTP/1.1 ${status} ${answer.statusMessage}`);
  }
  if (values.has("spider")) {
    report("remote file exists\n");
    return 0;
  }
  const file = (values.get("O") ?? values.get("output-document"))?.at(-1);
  const name = file ?? (url.pathname.split("/").pop() || "index.html");
  const target = name === "-" ? "stdout" : `'${name}'`;
  report(name === "-" ? "writing to stdout\n" : `saving to ${target}\n`);
  await readBody(process, answer, writerTo(process, name));
  report(name === "-" ? "written to stdout\n" : `${target} saved\n`);
  return 0;
};

function failed(
  argv: readonly string[],
  process: ShellProcess,
  { outcome, url }: { readonly outcome: HttpOutcome; readonly url: URL },
): Promise<number> | number {
  const texts: Readonly<Record<string, string>> = {
    missing: `wget: bad address '${url.host}'`,
    outside: `wget: bad address '${url.host}'`,
    refused: `wget: can't connect to remote host (${outcome.address}): Connection refused`,
    unreachable: `wget: can't connect to remote host (${outcome.address}): No route to host`,
    tls: `wget: note: TLS is not simulated: ${url.hostname} speaks plain HTTP only`,
    broken: "wget: error getting response",
  };
  const text = texts[outcome.kind] ?? outcome.kind;
  if (outcome.kind === "outside" || outcome.kind === "tls") return process.unknown(argv, process, { code: 1, text });
  return fail(process, text);
}
