import { spawn } from "node:child_process";
import type { Clock } from "@coxswain/runtime/clock";

/** nft's errors repeat the commands that failed; this much of them is enough to see why. */
const maxErrorBytes = 4_096;
/** What a program may print: a listing of a table without its elements, or of tracked flows. */
const maxOutputBytes = 256 << 20;
/** A transaction of 10,000 services takes a second; a program that takes this long hangs. */
const timeoutMs = 120_000;

/** Resolves with what the program printed. @throws Error if it fails, is not there or hangs */
export function runProgram(clock: Clock, [program = "", ...args]: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    const output: Buffer[] = [];
    let outputBytes = 0;
    let errors = "";
    const timer = clock.setTimer(timeoutMs, () => child.kill("SIGKILL"));
    child.stdout.on("data", (chunk: Buffer) => {
      outputBytes += chunk.length;
      if (outputBytes > maxOutputBytes) child.kill("SIGKILL");
      else output.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < maxErrorBytes) errors += chunk.toString("utf8", 0, maxErrorBytes);
    });
    // A program that ends before it has read everything closes the pipe; its exit code and errors are reported below.
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      timer.cancel();
      reject(new Error(`${program} cannot be started: ${error.message}`, { cause: error }));
    });
    child.on("close", (code, signal) => {
      timer.cancel();
      if (code === 0) resolve(Buffer.concat(output).toString());
      else reject(new Error(`${program} failed (${signal ?? `exit code ${code}`}): ${errors.trim()}`));
    });
    child.stdin.end(input);
  });
}
