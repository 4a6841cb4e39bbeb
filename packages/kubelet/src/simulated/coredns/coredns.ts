import type { Duplex } from "node:stream";
import { decodeMessage, encodeMessage, type Message, maxMessageOctets, responseCodes } from "@coxswain/wire/dns";
import type { PortServer, PortTransport, ProgramFacts } from "../port-server.js";
import { blockOf, defaultCorefile, parseCorefile, type ServerBlock } from "./corefile.js";

/** The DNS server that test suites use as a backend of UDP. */
export const isCoredns = (image: string): boolean => /(^|\/)coredns\/coredns[:@]/.test(image);

const port = 53;
/** Who asks comes from inside of this process. */
const client = { address: "127.0.0.1", port: 0 };

/**
 * Answers at port 53 by its Corefile. Of plugins it knows `whoami`; what others would answer is outside of a simulated container: they
 * fail, and a name that no block is for is refused.
 */
export function createCoredns(facts: ProgramFacts): PortServer {
  return {
    listens: (asked) => asked === port,
    serve: (connection, _port, transport) => serve(connection, transport, facts),
  };
}

function serve(connection: Duplex, transport: PortTransport, facts: ProgramFacts): void {
  connection.on("error", () => {}); // "close" follows
  let rest: Buffer = Buffer.alloc(0);
  connection.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const query = rest.subarray(2, 2 + rest.readUInt16BE(0));
      rest = rest.subarray(2 + query.length);
      void answer(query, transport, facts)
        .then((response) => response && !connection.destroyed && connection.write(response))
        .catch(() => connection.destroy()); // no message of DNS
    }
  });
  connection.on("end", () => connection.end());
}

async function answer(query: Buffer, transport: PortTransport, facts: ProgramFacts): Promise<Buffer | undefined> {
  const asked = decodeMessage(query);
  if (asked.isResponse) return undefined;
  const blocks = parseCorefile(await corefileOf(facts));
  const bytes = encodeMessage(respond(asked, { blocks, transport }), maxMessageOctets);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

async function corefileOf({ args, read }: ProgramFacts): Promise<string> {
  const at = args.findIndex((word) => word === "-conf" || word === "--conf");
  const content = await read(args[at + 1] ?? "/Corefile");
  return content ? Buffer.from(content).toString() : defaultCorefile;
}

/** Pure: what a server with these blocks answers (plugin/whoami/whoami.go, `ServeDNS`). */
export function respond(
  asked: Message,
  { blocks, transport }: { readonly blocks: readonly ServerBlock[]; readonly transport: PortTransport },
): Message {
  const [question] = asked.questions;
  const response = {
    ...asked,
    isResponse: true,
    recursionAvailable: false,
    answers: [],
    authorities: [],
    additionals: [],
    edns: undefined,
  };
  const block = question && blockOf(blocks, question.name);
  if (!block) return { ...response, responseCode: responseCodes.REFUSED };
  if (!block.plugins.includes("whoami")) return { ...response, responseCode: responseCodes.SERVFAIL };
  const head = { class: question.class, ttl: 0 };
  return {
    ...response,
    authoritative: true,
    responseCode: responseCodes.NOERROR,
    additionals: [
      { ...head, type: "A", name: question.name, address: client.address },
      {
        ...head,
        type: "SRV",
        name: `_${transport}.${question.name}`,
        priority: 0,
        weight: 0,
        port: client.port,
        target: "",
      },
    ],
  };
}
