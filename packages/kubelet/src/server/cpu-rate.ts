interface Sample {
  readonly at: number;
  readonly nanoseconds: number;
  readonly nanoCores: number;
}

/** Processor use per second, from two looks at a counter. The first look has none. */
export interface CpuRate {
  of(owner: object, nanoseconds: number, now: number): number;
}

export function createCpuRate(): CpuRate {
  const samples = new WeakMap<object, Sample>();
  return {
    of(owner, nanoseconds, now) {
      const before = samples.get(owner);
      const isLater = before !== undefined && now > before.at && nanoseconds >= before.nanoseconds;
      const nanoCores = isLater
        ? Math.round(((nanoseconds - before.nanoseconds) / (now - before.at)) * 1000)
        : (before?.nanoCores ?? 0);
      if (!before || isLater) samples.set(owner, { at: now, nanoseconds, nanoCores });
      return nanoCores;
    },
  };
}
