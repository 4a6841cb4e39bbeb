import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";

/** A network namespace that a sleeping process holds. */
export interface Namespace {
  readonly pid: number;
  /** What a command is put behind to run inside. */
  readonly enter: readonly string[];
}

/** A node with two pods and a client outside, each in a network namespace without any way out. Pods answer their name and who asked. */
export interface TestNetwork {
  readonly node: Namespace;
  readonly a: Namespace;
  readonly b: Namespace;
  readonly client: Namespace;
  stop(): void;
}

const server = `
  const [name] = process.argv.slice(1);
  const answer = (address) => name + " " + address.replace("::ffff:", "");
  require("net").createServer((socket) => { socket.on("error", () => {}); socket.end(answer(socket.remoteAddress)); }).listen(8080, "::");
  const udp = require("dgram").createSocket("udp6");
  udp.on("message", (_, from) => udp.send(answer(from.address), from.port, from.address));
  udp.bind(8080, "::", () => console.log("ready"));
`;

export async function openTestNetwork(): Promise<TestNetwork> {
  const children: ChildProcess[] = [];
  const start = async (command: readonly string[]): Promise<number> => {
    const [program = "", ...args] = command;
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    children.push(child);
    await once(child.stdout, "data");
    return child.pid ?? 0;
  };
  const open = async (): Promise<Namespace> => {
    const pid = await start(["unshare", "-n", "sh", "-c", "ip link set lo up; echo ready; exec sleep 3600"]);
    return { pid, enter: ["nsenter", "-t", String(pid), "-n"] };
  };
  const run = ({ enter: [program = "", ...args] }: Namespace, command: string): void =>
    void execFileSync(program, [...args, "sh", "-c", command]);
  const [node, a, b, client] = [await open(), await open(), await open(), await open()];
  for (const [other, link, own, theirs] of [
    [a, "to-a", "10.0.1.1", "10.0.1.2"],
    [b, "to-b", "10.0.2.1", "10.0.2.2"],
    [client, "to-client", "192.168.0.2", "192.168.0.10"],
  ] as const) {
    run(
      node,
      `ip link add ${link} type veth peer name eth0 netns ${other.pid} && ip addr add ${own}/24 dev ${link} && ip link set ${link} up`,
    );
    run(other, `ip addr add ${theirs}/24 dev eth0 && ip link set eth0 up`);
    run(other, `ip route add 0.0.0.0/1 via ${own} && ip route add 128.0.0.0/1 via ${own}`);
  }
  // A refusal is an ICMP message, and those are limited to one per second otherwise.
  // The node's own packets need a route to be sent at all; nobody is there.
  run(
    node,
    "echo 1 > /proc/sys/net/ipv4/ip_forward; echo 0 > /proc/sys/net/ipv4/icmp_ratelimit; ip route add 10.96.0.0/12 dev to-client; ip route add 1.1.0.0/16 dev to-client; ip route add 5.5.0.0/16 dev to-client",
  );
  for (const [pod, name] of [
    [a, "a"],
    [b, "b"],
  ] as const)
    await start([...pod.enter, process.execPath, "-e", server, name]);
  return { node, a, b, client, stop: () => children.forEach((child) => child.kill("SIGKILL")) };
}
