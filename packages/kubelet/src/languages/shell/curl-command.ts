import { exchangeHttp, type HttpOutcome, type HttpRequest, readBody } from "./http-exchange.js";
import { type ReadOptions, readOptions } from "./read-options.js";
import { bytesOf, type Command, fail, printAll, type ShellProcess, textOf } from "./shell-process.js";
import { unescape } from "./unescape.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const table = {
  valued: words(
    "o X H d m w A u b x output request header data data-raw data-binary max-time connect-timeout retry retry-delay write-out user-agent user cacert cert key resolve",
  ),
  plain: words(
    "s S f L i I v k g G 4 6 O silent show-error fail fail-with-body location include head verbose insecure compressed ipv4 ipv6 http1.1 retry-connrefused retry-all-errors",
  ),
};

/** `curl`: one request for each URL. Times are not measured: an answer comes at once here. */
export const curl: Command = async (args, process) => {
  const options = readOptions(args, table);
  if (options.unknown !== undefined || options.operands.length === 0)
    return process.unknown(["curl", ...args], process, {
      code: 2,
      text: options.unknown ? `curl: option ${options.unknown}: is unknown` : "curl: (2) no URL specified",
    });
  let code = 0;
  for (const operand of options.operands) {
    const url = urlOf(operand);
    if (!url) return fail(process, `curl: (3) URL rejected: Malformed input to a URL function`, 3);
    code = await transfer(["curl", ...args], process, { url, options });
  }
  return code;
};

export const portOf = (url: URL): string => url.port || (url.protocol === "https:" ? "443" : "80");

/** Without a scheme it is HTTP. */
export function urlOf(text: string): URL | undefined {
  try {
    const url = new URL(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
    return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
  } catch {
    return undefined;
  }
}

interface Transfer {
  readonly url: URL;
  readonly options: ReadOptions;
}

const last = ({ values }: ReadOptions, ...names: string[]): string | undefined =>
  names.flatMap((name) => values.get(name) ?? []).at(-1);
const has = ({ values }: ReadOptions, ...names: string[]): boolean => names.some((name) => values.has(name));

function requestOf({ url, options }: Transfer, authorities: string | undefined): HttpRequest {
  const data = ["d", "data", "data-raw", "data-binary"].flatMap((name) => options.values.get(name) ?? []);
  const given = ["H", "header"].flatMap((name) => options.values.get(name) ?? []);
  const headers = given.flatMap((line): [string, string][] => {
    const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value ?? ""]];
  });
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const add = (name: string, value: string): void =>
    void (names.has(name.toLowerCase()) || headers.push([name, value]));
  add("Host", url.host);
  add("User-Agent", last(options, "A", "user-agent") ?? "curl/8.0-simulated");
  add("Accept", "*/*");
  const body = data.length > 0 ? bytesOf(data.join("&")) : undefined;
  if (body) add("Content-Type", "application/x-www-form-urlencoded");
  if (body) add("Content-Length", String(body.length));
  const method = last(options, "X", "request") ?? (has(options, "I", "head") ? "HEAD" : body ? "POST" : "GET");
  return { url, method, headers, body, authorities };
}

async function transfer(argv: readonly string[], process: ShellProcess, wanted: Transfer): Promise<number> {
  const { url, options } = wanted;
  const file = last(options, "cacert");
  const trusted = file === undefined ? new Uint8Array() : process.files.read(process.resolve(file));
  if (!trusted) return fail(process, `curl: (77) error setting certificate verify locations:  CAfile: ${file}`, 77);
  const request = requestOf(wanted, has(options, "k", "insecure") ? undefined : textOf(trusted));
  const outcome = await exchangeHttp(process, request);
  if (outcome.kind !== "answered") return failed(argv, process, { outcome, wanted });
  const { answer } = outcome;
  const status = answer.statusCode ?? 0;
  const isVerbose = has(options, "v", "verbose");
  const headOf = (mark: string): string => {
    const lines = [`HTTP/1.1 ${status} ${answer.statusMessage ?? ""}`];
    for (let at = 0; at < answer.rawHeaders.length; at += 2)
      lines.push(`${answer.rawHeaders[at]}: ${answer.rawHeaders[at + 1]}`);
    return [...lines, ""].map((line) => `${mark}${line}\r\n`).join("");
  };
  if (isVerbose) {
    const sent = request.headers.map(([name, value]) => `> ${name}: ${value}\r\n`).join("");
    const lines = `* Connected to ${url.hostname} (${outcome.address}) port ${portOf(url)}\n`;
    process.stderr.write(bytesOf(`${lines}> ${request.method} ${url.pathname}${url.search} HTTP/1.1\r\n${sent}> \r\n`));
    process.stderr.write(bytesOf(headOf("< ")));
  }
  const isFailure = status >= 400 && has(options, "f", "fail", "fail-with-body");
  const target =
    last(options, "o", "output") ?? (has(options, "O") ? (url.pathname.split("/").pop() ?? "") : undefined);
  const write = writerTo(process, target);
  if (has(options, "i", "include", "I", "head")) write(bytesOf(headOf("")));
  let size = 0;
  await readBody(process, answer, (chunk) => {
    size += chunk.length;
    if (!isFailure || has(options, "fail-with-body")) write(chunk);
  });
  await printAll(process, writeOut(last(options, "w", "write-out") ?? "", { status, size, url }));
  if (isFailure && isLoud(options)) return fail(process, `curl: (22) The requested URL returned error: ${status}`, 22);
  return isFailure ? 22 : 0;
}

const isLoud = (options: ReadOptions): boolean => !has(options, "s", "silent") || has(options, "S", "show-error");

/** A file, or the standard output. */
export function writerTo(process: ShellProcess, file: string | undefined): (chunk: Uint8Array) => void {
  if (file === undefined || file === "-" || file === "/dev/stdout") return (chunk) => process.stdout.write(chunk);
  const path = process.resolve(file);
  process.files.write(path, new Uint8Array());
  return (chunk) => void process.files.append(path, chunk);
}

function writeOut(format: string, { status, size, url }: { status: number; size: number; url: URL }): string {
  const facts: Readonly<Record<string, string>> = {
    http_code: String(status).padStart(3, "0"),
    response_code: String(status).padStart(3, "0"),
    size_download: String(size),
    url_effective: url.href,
    time_total: "0.000000",
  };
  const known = (name: string): string => (Object.hasOwn(facts, name) ? (facts[name] ?? "") : "");
  return unescape(format.replace(/%\{(\w+)\}/g, (_, name: string) => known(name)));
}

function failed(
  argv: readonly string[],
  process: ShellProcess,
  { outcome, wanted: { url, options } }: { readonly outcome: HttpOutcome; readonly wanted: Transfer },
): Promise<number> | number {
  const where = `${url.hostname} port ${portOf(url)}`;
  const problems: Readonly<Record<string, readonly [number, string]>> = {
    missing: [6, `Could not resolve host: ${url.hostname}`],
    outside: [6, `Could not resolve host: ${url.hostname}`],
    refused: [7, `Failed to connect to ${where} after 0 ms: Could not connect to server`],
    unreachable: [7, `Failed to connect to ${where} after 0 ms: No route to host`],
    tls: [35, `TLS connect error: ${url.hostname} is simulated and speaks plain HTTP only`],
    untrusted: [60, "SSL certificate problem: unable to get local issuer certificate"],
    broken: [52, "Empty reply from server"],
  };
  const [code, text] = problems[outcome.kind] ?? [1, outcome.kind];
  const line = isLoud(options) ? `curl: (${code}) ${text}` : "";
  const isBeyond = outcome.kind === "outside" || outcome.kind === "tls";
  if (isBeyond) return process.unknown(argv, process, { code, text: line });
  return line === "" ? code : fail(process, line, code);
}
