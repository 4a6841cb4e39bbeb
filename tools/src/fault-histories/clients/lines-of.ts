import type { IncomingMessage } from "node:http";

/** Whole lines of an answer as they arrive. @throws what ends the connection: readline would wait for ever */
export async function* linesOf(answer: IncomingMessage): AsyncGenerator<string, void, void> {
  let rest = "";
  for await (const chunk of answer) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
