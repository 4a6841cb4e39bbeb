import { isIP } from "node:net";
import { during } from "@coxswain/runtime/activity";
import type { Lookup } from "./network.js";
import { readOptions } from "./read-options.js";
import { type Command, charge, fail, print, type ShellProcess } from "./shell-process.js";
import { unlessAborted } from "./streams.js";

/** Asks the cluster's DNS; a process that is killed meanwhile ends. */
function lookUp(process: ShellProcess, name: string, type: string): Promise<Lookup> {
  const { session, runtime, container } = process;
  charge(process, 2048);
  return unlessAborted(
    during(runtime.activity, () => container.network.lookup(name, type)),
    session.signal,
  );
}

/** `10.1.2.3` as the name that has its PTR record. */
const reversed = (address: string): string => `${address.split(".").reverse().join(".")}.in-addr.arpa.`;

const recordTypes = new Set(["A", "AAAA", "CNAME", "NS", "PTR", "SOA", "SRV", "TXT"]);

/** `nslookup [-type=T] name [server]`, as busybox prints it. The server is always the cluster's. */
const nslookup: Command = async (args, process) => {
  const [name = ""] = args.filter((arg) => !arg.startsWith("-"));
  if (name === "") return fail(process, "BusyBox nslookup: Usage: nslookup [-type=QUERY_TYPE] HOST");
  const isAddress = isIP(name) === 4;
  const asked = args.flatMap((arg) => /^-(?:query|type|q)=(.+)$/.exec(arg)?.[1] ?? []).at(-1);
  const type = asked?.toUpperCase() ?? (isAddress ? "PTR" : "A");
  if (!recordTypes.has(type)) return fail(process, `nslookup: invalid query type "${asked}"`);
  const { nameServer } = process.container.network;
  const answer = await lookUp(process, isAddress ? reversed(name) : name, type);
  print(process, `Server:\t\t${nameServer}\nAddress:\t${nameServer}:53\n\n`);
  if (answer.kind === "found") {
    print(process, `${answer.data.map((data) => recordText(type, answer.name, data)).join("")}\n`);
    return 0;
  }
  const text = `** server can't find ${name}: NXDOMAIN\n`;
  if (answer.kind === "outside") return process.unknown(["nslookup", ...args], process, { code: 1, text });
  return fail(process, text);
};

function recordText(type: string, name: string, data: string): string {
  if (type === "A" || type === "AAAA") return `Name:\t${name}\nAddress: ${data}\n`;
  if (type === "PTR") return `${name}\tname = ${data}\n`;
  if (type === "SRV") return `${name}\tservice = ${data}\n`;
  return `${name}\t${type.toLowerCase()} = ${data}\n`;
}

/** `getent hosts name`, `host name`: one line for each address. */
const addressesOf =
  (line: (name: string, address: string) => string, missing: (name: string) => string): Command =>
  async (args, process) => {
    const name = args.filter((arg) => !arg.startsWith("-") && arg !== "hosts" && arg !== "ahosts")[0] ?? "";
    const answer = await lookUp(process, name, "A");
    if (answer.kind === "found") {
      print(process, answer.data.map((address) => line(answer.name, address)).join(""));
      return 0;
    }
    const text = missing(name);
    if (answer.kind === "outside") return process.unknown(args, process, { code: 2, text });
    return text === "" ? 2 : fail(process, text, 2);
  };

/** `nc -z host port`: whether something listens there. Other uses are those of a program that is not here. */
const nc: Command = async (args, process) => {
  const table = { valued: new Set(["w", "i"]), plain: new Set(["z", "v", "n"]) };
  const { values, operands, unknown } = readOptions(args, table);
  const [host = "", port = ""] = operands;
  if (unknown !== undefined || !values.has("z")) return process.unknown(["nc", ...args], process);
  const found = isIP(host) ? undefined : await lookUp(process, host, "A");
  if (found?.kind === "missing") return fail(process, `nc: bad address '${host}'`);
  if (found?.kind === "outside")
    return process.unknown(["nc", ...args], process, { code: 1, text: `nc: bad address '${host}'` });
  const address = found?.data[0] ?? host;
  const made = await process.container.network.connect(address, Number(port));
  const isVerbose = values.has("v");
  if (made.kind === "connected") {
    made.stream.destroy();
    if (isVerbose) fail(process, `${host} (${address}:${port}) open`);
    return 0;
  }
  if (made.kind === "outside") return process.unknown(["nc", ...args], process, { code: 1, text: "" });
  const why = made.kind === "refused" ? "Connection refused" : "No route to host";
  return isVerbose ? fail(process, `nc: ${host} (${address}:${port}): ${why}`) : 1;
};

export const nameCommands: readonly (readonly [string, Command])[] = [
  ["nslookup", nslookup],
  [
    "getent",
    addressesOf(
      (name, address) => `${address.padEnd(17)} ${name}  ${name}\n`,
      () => "",
    ),
  ],
  [
    "host",
    addressesOf(
      (name, address) => `${name} has address ${address}\n`,
      (name) => `Host ${name} not found: 3(NXDOMAIN)`,
    ),
  ],
  ["nc", nc],
];
