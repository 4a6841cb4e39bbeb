import type { CounterSeries, HistogramSeries, Metrics } from "@coxswain/runtime/metrics";
import { exponentialBuckets } from "@coxswain/runtime/metrics";
import { type Message, nameOfResponseCode, nameOfType, recordTypes } from "@coxswain/wire/dns";
import type { AnswerCache } from "../forward/answer-cache.js";
import type { ForwardObserver, Transport } from "../forward/forwarder.js";
import { nameServerText } from "../forward/name-server.js";

/** Of one question, from its bytes to those of the response. */
export interface ServedQuery {
  readonly transport: Transport;
  /** 1: IPv4, 2: IPv6. */
  readonly family: "1" | "2";
  readonly query: Message;
  readonly responseCode: number;
  readonly queryOctets: number;
  readonly responseOctets: number;
  readonly seconds: number;
}

export interface DnsMetrics extends ForwardObserver {
  served(query: ServedQuery): void;
  /** A client was over its limit. */
  dropped(): void;
  followCache(cache: AnswerCache): void;
}

/** Types with a label of their own (`plugin/metrics/vars/monitor.go` of CoreDNS); all others are one, so that clients cannot make series. */
const monitored = new Set<number>([
  recordTypes.A,
  recordTypes.AAAA,
  recordTypes.CNAME,
  recordTypes.DNSKEY,
  recordTypes.DS,
  recordTypes.HTTPS,
  recordTypes.MX,
  recordTypes.NAPTR,
  recordTypes.NS,
  recordTypes.PTR,
  recordTypes.SOA,
  recordTypes.SRV,
  recordTypes.TXT,
]);

const sizes = [0, 100, 200, 300, 400, 511, 1023, 2047, 4095, 8291, 16e3, 32e3, 48e3, 64e3];
const times = exponentialBuckets(0.00025, 2, 16);

interface Series {
  readonly requests: CounterSeries;
  readonly responses: CounterSeries;
  readonly duration: HistogramSeries;
  readonly requestSize: HistogramSeries;
  readonly responseSize: HistogramSeries;
  readonly dnssec: CounterSeries;
}

/** CoreDNS's names and labels (`plugin/metrics/vars/vars.go`), under the server `server`, such as `dns://:53`. */
export function createDnsMetrics(metrics: Metrics, server: string): DnsMetrics {
  const { requests, responses, dnssec, duration, requestSize, responseSize, dropped } = declareMetrics(metrics);
  const known = new Map<string, Series>();

  /** Found again by what they depend on: looking up six series for each question would take longer than answering it. */
  function seriesOf({ transport, family, query, responseCode }: ServedQuery): Series {
    const type = query.questions[0]?.type ?? 0;
    const typeName = monitored.has(type) ? nameOfType(type) : "other";
    const key = `${transport} ${family} ${typeName} ${responseCode}`;
    const before = known.get(key);
    if (before) return before;
    const at = [server, ".", ""];
    const made: Series = {
      requests: requests.with(...at, transport, family, typeName),
      responses: responses.with(...at, nameOfResponseCode(responseCode), ""),
      duration: duration.with(...at),
      requestSize: requestSize.with(...at, transport),
      responseSize: responseSize.with(...at, transport),
      dnssec: dnssec.with(...at),
    };
    known.set(key, made);
    return made;
  }

  return {
    ...forwardMetrics(metrics, server),
    dropped: () => dropped.add(1),
    served(query) {
      const series = seriesOf(query);
      series.requests.add(1);
      series.responses.add(1);
      series.duration.observe(query.seconds);
      series.requestSize.observe(query.queryOctets);
      series.responseSize.observe(query.responseOctets);
      if (query.query.edns?.dnssecOk) series.dnssec.add(1);
    },
  };
}

function declareMetrics(metrics: Metrics) {
  const place = ["server", "zone", "view"];
  const stability = "none";
  const requests = metrics.counter({
    name: "coredns_dns_requests_total",
    help: "Counter of DNS requests made per zone, protocol and family.",
    labels: [...place, "proto", "family", "type"],
    stability,
  });
  const responses = metrics.counter({
    name: "coredns_dns_responses_total",
    help: "Counter of response status codes.",
    labels: [...place, "rcode", "plugin"],
    stability,
  });
  const dnssec = metrics.counter({
    name: "coredns_dns_do_requests_total",
    help: "Counter of DNS requests with DO bit set per zone.",
    labels: place,
    stability,
  });
  const duration = metrics.histogram({
    name: "coredns_dns_request_duration_seconds",
    help: "Histogram of the time (in seconds) each request took per zone.",
    labels: place,
    buckets: times,
    stability,
  });
  const requestSize = metrics.histogram({
    name: "coredns_dns_request_size_bytes",
    help: "Size of the request in bytes per zone and protocol.",
    labels: [...place, "proto"],
    buckets: sizes,
    stability,
  });
  const responseSize = metrics.histogram({
    name: "coredns_dns_response_size_bytes",
    help: "Size of the returned response in bytes.",
    labels: [...place, "proto"],
    buckets: sizes,
    stability,
  });
  const dropped = metrics
    .counter({
      name: "coxswain_dns_dropped_requests_total",
      help: "Requests of clients over their limit, which were not answered.",
      stability,
    })
    .with();
  return { requests, responses, dnssec, duration, requestSize, responseSize, dropped };
}

function forwardMetrics(metrics: Metrics, server: string): ForwardObserver & Pick<DnsMetrics, "followCache"> {
  const stability = "none";
  const at = { labels: ["server", "zones", "view"], stability } as const;
  const kinds = { labels: ["server", "type", "zones", "view"], stability } as const;
  const duration = metrics.histogram({
    name: "coredns_proxy_request_duration_seconds",
    help: "Histogram of the time each request took.",
    labels: ["proxy_name", "to", "rcode"],
    buckets: times,
    stability,
  });
  const rejects = metrics
    .counter({
      name: "coredns_forward_max_concurrent_rejects_total",
      help: "Counter of the number of queries rejected because the concurrent queries were at maximum.",
      stability,
    })
    .with();
  const discarded = metrics
    .counter({
      name: "coxswain_dns_discarded_answers_total",
      help: "Datagrams of other servers that were no answer to what was asked.",
      stability,
    })
    .with();
  const requests = metrics
    .counter({ name: "coredns_cache_requests_total", help: "The count of cache requests.", ...at })
    .with(server, ".", "");
  const misses = metrics
    .counter({ name: "coredns_cache_misses_total", help: "The count of cache misses.", ...at })
    .with(server, ".", "");
  const hits = metrics.counter({ name: "coredns_cache_hits_total", help: "The count of cache hits.", ...kinds });
  return {
    request: (to, seconds, responseCode) =>
      duration.with("forward", nameServerText(to), nameOfResponseCode(responseCode)).observe(seconds),
    discarded: () => discarded.add(1),
    rejected: () => rejects.add(1),
    cacheRequest(hit) {
      requests.add(1);
      if (hit) hits.with(server, hit, ".", "").add(1);
      else misses.add(1);
    },
    followCache(cache) {
      metrics.collectGauge(
        { name: "coredns_cache_entries", help: "The number of elements in the cache.", ...kinds },
        (report) => {
          for (const kind of ["success", "denial"] as const) report(cache.count(kind), server, kind, ".", "");
        },
      );
    },
  };
}
