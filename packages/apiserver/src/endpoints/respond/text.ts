import { stringifyJson } from "@coxswain/apimachinery/json";
import type { Status } from "@coxswain/apimachinery/status";

const encoder = new TextEncoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export const concat = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

export const newline = utf8("\n");
export const comma = utf8(",");

export const statusText = (status: Status): Uint8Array => utf8(`${stringifyJson(status)}\n`);
