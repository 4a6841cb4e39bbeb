import type { CounterSeries, GaugeSeries, HistogramSeries } from "@coxswain/runtime/metrics";

/** The labels of a request in the metrics. */
export interface RequestLabels {
  readonly verb: string;
  readonly dryRun: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
  readonly component: string;
}

/** The series of one set of labels, found once. */
export interface RequestSeries {
  readonly labels: RequestLabels;
  /** By status code. */
  readonly totals: Map<number, CounterSeries>;
  readonly duration: HistogramSeries;
  readonly sli: HistogramSeries | undefined;
  readonly sizes: HistogramSeries | undefined;
  readonly running: GaugeSeries | undefined;
}

/** Finds series by their labels without building a key: requests are many, and their labels few. */
export class RequestSeriesTable {
  readonly #byResource = new Map<string, RequestSeries[]>();
  readonly #make: (labels: RequestLabels) => RequestSeries;

  constructor(make: (labels: RequestLabels) => RequestSeries) {
    this.#make = make;
  }

  find(labels: RequestLabels): RequestSeries {
    let list = this.#byResource.get(labels.resource);
    if (!list) this.#byResource.set(labels.resource, (list = []));
    for (const series of list) if (isSame(series.labels, labels)) return series;
    const made = this.#make(labels);
    list.push(made);
    return made;
  }
}

const isSame = (a: RequestLabels, b: RequestLabels): boolean =>
  a.verb === b.verb &&
  a.scope === b.scope &&
  a.subresource === b.subresource &&
  a.version === b.version &&
  a.group === b.group &&
  a.dryRun === b.dryRun &&
  a.component === b.component;
