import { NetworkNamespace } from "./network-namespace.test.support.js";

/**
 * A machine of a test's own: a node with two pods and a client outside, each in a network namespace, joined by the node.
 *
 * | who | address | the node's side |
 * | --- | --- | --- |
 * | pod a | 10.0.1.2 | 10.0.1.1 |
 * | pod b | 10.0.2.2 | 10.0.2.1 |
 * | client | 192.168.0.10 | 192.168.0.2 |
 *
 * The same with fd00:1::2, fd00:2::2 and fd00:168::10. Pods serve TCP and UDP on port 8080 and answer "a 192.168.0.10": their name
 * and who asked.
 */
export interface TestNetwork {
  readonly node: NetworkNamespace;
  readonly a: NetworkNamespace;
  readonly b: NetworkNamespace;
  readonly client: NetworkNamespace;
  close(): void;
}

const server = (name: string): string => `
  const answer = (address) => ${JSON.stringify(name)} + " " + address.replace("::ffff:", "");
  require("net").createServer((socket) => { socket.on("error", () => {}); socket.end(answer(socket.remoteAddress)); }).listen(8080, "::");
  const udp = require("dgram").createSocket("udp6");
  udp.on("message", (_, from) => udp.send(answer(from.address), from.port, from.address));
  udp.bind(8080, "::", () => console.log("ready"));
`;

export async function openTestNetwork(): Promise<TestNetwork> {
  const [node, a, b, client] = await Promise.all([0, 1, 2, 3].map(() => NetworkNamespace.open()));
  if (!node || !a || !b || !client) throw new Error("no namespaces");
  const join = (
    other: NetworkNamespace,
    link: string,
    v4: readonly [string, string],
    v6: readonly [string, string],
  ): void => {
    node.run(`ip link add ${link} type veth peer name eth0 netns ${other.pid}`);
    node.run(
      `ip addr add ${v4[0]}/24 dev ${link} && ip -6 addr add ${v6[0]}/64 dev ${link} nodad && ip link set ${link} up`,
    );
    other.run(`ip addr add ${v4[1]}/24 dev eth0 && ip -6 addr add ${v6[1]}/64 dev eth0 nodad && ip link set eth0 up`);
    // No way out of these namespaces: the node has no route to anything else.
    other.run(
      `ip route add 0.0.0.0/1 via ${v4[0]} && ip route add 128.0.0.0/1 via ${v4[0]} && ip -6 route add fd00::/8 via ${v6[0]}`,
    );
  };
  join(a, "to-a", ["10.0.1.1", "10.0.1.2"], ["fd00:1::1", "fd00:1::2"]);
  join(b, "to-b", ["10.0.2.1", "10.0.2.2"], ["fd00:2::1", "fd00:2::2"]);
  join(client, "to-client", ["192.168.0.2", "192.168.0.10"], ["fd00:168::2", "fd00:168::10"]);
  node.run("echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding");
  // The node's own packets to service addresses need a route to be sent at all.
  node.run("ip route add 10.96.0.0/12 dev to-client && ip -6 route add fd00:96::/112 dev to-client");
  await Promise.all([serve(a, "a"), serve(b, "b")]);
  const all = [node, a, b, client];
  return { node, a, b, client, close: () => all.forEach((one) => one.close()) };
}

const serve = (namespace: NetworkNamespace, name: string): Promise<void> =>
  new Promise((resolve) =>
    namespace.spawn(process.execPath, ["-e", server(name)]).stdout?.once("data", () => resolve()),
  );

export interface Question {
  readonly protocol?: "tcp" | "udp";
  readonly waitMs?: number;
}

/** What becomes of a connection: who answered and the source that it saw, or that it was refused or dropped. */
export async function ask(
  from: NetworkNamespace,
  address: string,
  port: number,
  question: Question = {},
): Promise<string> {
  return (await askOften(1, from, address, port, question)).join();
}

const asker = `
  const { address, port, protocol, waitMs, tries } = JSON.parse(process.argv[1]);
  const one = () => new Promise((resolve) => {
    setTimeout(() => resolve("dropped"), waitMs);
    const failed = (error) => resolve(error.code === "ECONNREFUSED" ? "refused" : error.code);
    if (protocol === "tcp") {
      const socket = require("net").connect(port, address);
      socket.on("data", (data) => resolve(String(data)));
      socket.on("error", failed);
    } else {
      const socket = require("dgram").createSocket(address.includes(":") ? "udp6" : "udp4");
      socket.on("message", (data) => resolve(String(data)));
      socket.on("error", failed);
      socket.connect(port, address, () => socket.send("hello"));
    }
  });
  Promise.all(Array.from({ length: tries }, one)).then((all) => {
    console.log(JSON.stringify(all));
    process.exit(0);
  });
`;

/** The different answers to several tries at once, in order. */
export async function askOften(
  tries: number,
  from: NetworkNamespace,
  address: string,
  port: number,
  { protocol = "tcp", waitMs = 1_500 }: Question = {},
): Promise<string[]> {
  const about = JSON.stringify({ address, port, protocol, waitMs, tries });
  const output = await from.start(process.execPath, ["-e", asker, about]);
  return [...new Set(JSON.parse(output) as string[])].sort();
}
