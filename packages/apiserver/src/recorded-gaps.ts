/** Steps of recorded cases that we do not answer as kube-apiserver does, each with its reason. A gap that has closed fails the test. */
export const knownGaps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "service-allocation": { "to-external-name": "upstream leaves internalTrafficPolicy out of what it reads of such a service" },
  "watch-legacy-paths": { bare: "upstream fails before it thinks of caches; ours says no-cache", "bare-group": "upstream fails before it thinks of caches; ours says no-cache" },
};
