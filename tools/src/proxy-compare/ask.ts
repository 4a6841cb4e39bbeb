import { spawn } from "node:child_process";
import type { Namespace } from "./test-network.js";

export interface Question {
  readonly address: string;
  readonly port: number;
  readonly protocol: "TCP" | "UDP";
}

/** Tries each question often, many questions at a time, and prints the different answers to each. */
const asker = `
  const { questions, tries, waitMs } = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const { connect } = require("net");
  const { createSocket } = require("dgram");
  const one = ({ address, port, protocol }) => new Promise((resolve) => {
    const timer = setTimeout(() => end("dropped"), waitMs);
    let socket;
    const end = (text) => { clearTimeout(timer); protocol === "TCP" ? socket.destroy() : socket.close(); resolve(text); };
    const failed = (error) => end(error.code === "ECONNREFUSED" ? "refused" : error.code === "ECONNRESET" ? "refused" : String(error.code));
    if (protocol === "TCP") {
      socket = connect(port, address);
      socket.once("data", (data) => end(String(data)));
      socket.once("error", failed);
    } else {
      socket = createSocket("udp4");
      socket.once("message", (data) => end(String(data)));
      socket.once("error", failed);
      socket.connect(port, address, () => socket.send("hello"));
    }
  });
  const work = questions.map((question, at) => [question, at]);
  const answers = [];
  const often = async (question) => {
    const all = [];
    // Six that were dropped are enough: each takes as long as we wait.
    while (all.length < tries && all.filter((answer) => answer === "dropped").length < 6) all.push(await one(question));
    return [...new Set(all)].sort();
  };
  const worker = async () => { for (let next; (next = work.pop()); ) answers[next[1]] = await often(next[0]); };
  Promise.all(Array.from({ length: 150 }, worker)).then(() => {
    console.log(JSON.stringify(answers));
    process.exit(0);
  });
`;

/** The different answers to each question, in their order. */
export function askAll(
  { enter }: Namespace,
  questions: readonly Question[],
  { tries, waitMs }: { readonly tries: number; readonly waitMs: number } = { tries: 20, waitMs: 1_200 },
): Promise<string[][]> {
  const [program = "", ...args] = [...enter, process.execPath, "-e", asker];
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += String(chunk)));
  child.stdin.end(JSON.stringify({ questions, tries, waitMs }));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => {
      try {
        resolve(JSON.parse(printed) as string[][]);
      } catch (error) {
        reject(new Error("the questions were not answered", { cause: error }));
      }
    });
  });
}
