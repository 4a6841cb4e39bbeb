import { isDeepStrictEqual } from "node:util";
import { DnsError, decodeMessage, encodeMessage, type Message } from "@coxswain/wire/dns";
import { BrokenPromise, type FuzzTarget } from "../fuzz-target.js";

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(" ", ""), "hex");

/** DNS messages: what is read is written and read again, and a message cut to 512 octets has no more than that. */
export function dnsTarget(): FuzzTarget {
  return {
    name: "dns",
    seeds: [
      hex(
        "1234 0100 0001 0000 0000 0001 03777777 076578616d706c65 03636f6d 00 0001 0001 00 0029 04d0 00008000 0007 000a 0003 010203",
      ),
      hex(
        "1234 8580 0001 0002 0000 0000 01610162 00 0001 0001 c00c 0001 0001 00000005 0004 0a000001 c00c 001c 0001 00000005 0010 fd000000000000000000000000000001",
      ),
      hex(
        "1234 8583 0001 0000 0001 0000 01610162 00 0001 0001 c00e 0006 0001 00000005 001c 026e73c00e 0168c00e 00000001 00001c20 00000708 00015180 00000005",
      ),
      hex(
        "0001 8180 0000 0003 0000 0000 016100 0021 0001 00000001 0009 0000 0064 0050 016200 c00c 0010 0001 00000001 0003 027879 c00c 000f 0001 00000001 0005 000a 0163 00",
      ),
    ],
    words: [hex("c00c"), hex("00010001"), hex("002904d0"), "\\", ".", hex("3f"), hex("40"), hex("ff")],
    run(input) {
      const message = read(input);
      if (!message) return false;
      const again = decodeMessage(encodeMessage(message));
      if (!again.truncated && !isDeepStrictEqual(again, message))
        throw new BrokenPromise("the message is another after writing and reading it");
      const short = write(message, 512);
      if (short && (short.length > 512 || !decodeMessage(short))) throw new BrokenPromise("more than 512 octets");
      return true;
    },
  };
}

function read(input: Uint8Array): Message | undefined {
  try {
    return decodeMessage(input);
  } catch (error) {
    if (error instanceof DnsError) return undefined;
    throw error;
  }
}

/** Undefined: not even its questions fit. */
function write(message: Message, octets: number): Uint8Array | undefined {
  try {
    return encodeMessage(message, octets);
  } catch (error) {
    if (error instanceof DnsError) return undefined;
    throw error;
  }
}
