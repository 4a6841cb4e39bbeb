import type { ChildProcess } from "node:child_process";

/** The link that a command prints on its standard output. @throws Error with all that it printed, where it ends without one */
export function printedLink(child: ChildProcess): Promise<string> {
  let printed = "";
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      const found = /(http:\/\/\S+#c=\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => reject(new Error(`it ended with ${code}: ${printed}`)));
  });
}
