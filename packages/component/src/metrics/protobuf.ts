import type { Metric, MetricType } from "./metric.js";

export const metricsProtobufType =
  "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited; escaping=underscores";

/** Field numbers are those of Prometheus' io.prometheus.client.MetricFamily and what it holds. */
const family = { name: 1, help: 2, type: 3, metric: 4 };
const typeNumbers: Readonly<Record<MetricType, number>> = { counter: 0, gauge: 1, histogram: 4 };
/** The field of a metric that holds its value. */
const valueFields: Readonly<Record<MetricType, number>> = { gauge: 2, counter: 3, histogram: 7 };

/** One family with its length in front; nothing of a metric without a series. */
export function familyBytes(metric: Metric, help: string): Uint8Array {
  const series = seriesOf(metric);
  if (series.size === 0) return new Uint8Array(0);
  const message = new Message()
    .text(family.name, metric.options.name)
    .text(family.help, help)
    .integer(family.type, typeNumbers[metric.type]);
  for (const { labels, value } of series.values())
    message.message(family.metric, withLabels(labels).message(valueFields[metric.type], value));
  return new Message().delimited(message).bytes();
}

interface Series {
  readonly labels: readonly (readonly [name: string, value: string])[];
  readonly value: Message;
}

/** Samples of one set of labels belong together: a histogram has many. */
function seriesOf(metric: Metric): Map<string, Series> {
  const all = new Map<string, Series>();
  metric.write((suffix, text, value) => {
    const pairs = pairsOf(text);
    const bound = metric.type === "histogram" ? pairs.find(([name]) => name === "le")?.[1] : undefined;
    const labels = bound === undefined ? pairs : pairs.filter(([name]) => name !== "le");
    const key = JSON.stringify(labels);
    let known = all.get(key);
    if (!known) all.set(key, (known = { labels, value: new Message() }));
    if (metric.type !== "histogram") known.value.double(1, value);
    else if (suffix === "_count") known.value.integer(1, value);
    else if (suffix === "_sum") known.value.double(2, value);
    else if (bound !== "+Inf") known.value.message(3, new Message().integer(1, value).double(2, Number(bound))); // that bucket is the count
  });
  return all;
}

const escapes: Readonly<Record<string, string>> = { n: "\n" };

/** The other way round of what stands between the braces of the text format. */
const pairsOf = (text: string): [string, string][] =>
  Array.from(text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/gs), ([, name = "", value = ""]) => [
    name,
    value.replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? char),
  ]);

function withLabels(labels: Series["labels"]): Message {
  const message = new Message();
  for (const [name, value] of labels) message.message(1, new Message().text(1, name).text(2, value));
  return message;
}

/** As much of protobuf's writing as metrics need. */
class Message {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  text(field: number, value: string): this {
    return this.#block(field, new TextEncoder().encode(value));
  }

  message(field: number, value: Message): this {
    return this.#block(field, value.bytes());
  }

  integer(field: number, value: number): this {
    return this.#varint(field * 8).#varint(Math.floor(value));
  }

  double(field: number, value: number): this {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    return this.#varint(field * 8 + 1).#add(bytes);
  }

  delimited(value: Message): this {
    return this.#varint(value.#length).#add(value.bytes());
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  #block(field: number, bytes: Uint8Array): this {
    return this.#varint(field * 8 + 2)
      .#varint(bytes.length)
      .#add(bytes);
  }

  #varint(value: number): this {
    const bytes: number[] = [];
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    return this.#add(Uint8Array.of(...bytes, rest));
  }

  #add(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    return this;
  }
}
