/** Gauges that are 0 in a cluster that has nothing left to do. */
const ofRest = /^(workqueue_depth|scheduler_pending_pods|apiserver_current_inqueue_requests)(\{.*\})? (\S+)$/;

/** Pure: queues that are not empty, from a component's metrics. */
export const unfinishedWork = (metrics: string): string[] =>
  metrics.split("\n").filter((line) => {
    const value = ofRest.exec(line)?.[3];
    return value !== undefined && Number(value) !== 0;
  });
