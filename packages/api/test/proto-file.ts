/** A field of a message in a `generated.proto`. */
export interface ProtoField {
  readonly name: string;
  readonly number: number;
  /** "string", "repeated Container", "map<string, bytes>"; names of other packages without their package. */
  readonly type: string;
}

/** Reads the messages of a `generated.proto`: upstream's generator writes one field per line and nests nothing. */
export function parseProto(text: string): Map<string, ProtoField[]> {
  const messages = new Map<string, ProtoField[]>();
  let fields: ProtoField[] = [];
  for (const line of text.split("\n")) {
    const message = /^message (\w+) \{/.exec(line);
    if (message?.[1]) messages.set(message[1], (fields = []));
    const field = /^ {2}(?:(optional|repeated|required) )?([\w.]+|map<\w+, *[\w.]+>) (\w+) = (\d+);/.exec(line);
    if (!field) continue;
    const [, label, type = "", name = "", number] = field;
    const short = type.replaceAll(/\.?(?:\w+\.)+(\w+)/g, "$1");
    fields.push({ name, number: Number(number), type: label === "repeated" ? `repeated ${short}` : short });
  }
  return messages;
}
