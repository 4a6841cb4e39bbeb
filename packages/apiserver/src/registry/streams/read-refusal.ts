import type { IncomingMessage } from "node:http";
import { ByteCollector } from "@coxswain/wire/bytes";

const longest = 64 * 1024;

/** Why a kubelet did not change protocols: a Status's message, or its plain text. */
export async function readRefusal(response: IncomingMessage): Promise<string> {
  const body = new ByteCollector();
  for await (const part of response as AsyncIterable<Buffer>) {
    body.add(part);
    if (body.length >= longest) break;
  }
  const text = body.take().toString("utf8", 0, longest).trim();
  return messageOf(text) ?? (text === "" ? "empty server response" : text);
}

function messageOf(text: string): string | undefined {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    return [message, error]
      .find((candidate): candidate is string => typeof candidate === "string" && candidate.trim() !== "")
      ?.trim();
  } catch {
    return undefined;
  }
}
